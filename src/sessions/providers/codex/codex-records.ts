import type { Facts, ParsedRecord } from '../../model/event.ts';
import { filled, isObject, type JsonObject, number, object, text, time } from '../../model/log-json.ts';
import { contentText, opaque, quiet } from '../record-parts.ts';
import { eventMessage } from './codex-events.ts';
import { isResponseItem, responseItem } from './codex-items.ts';
import { codexUsage, usagePart } from './codex-usage.ts';

/**
 * Reads Codex rollouts of three generations: bare response items (up to 0.31), `{timestamp, type, payload}`, and the
 * same with an ordinal and `item_completed` events (paginated history).
 */
export function readCodexRecord(record: JsonObject): ParsedRecord {
  const ms = time(record.timestamp) ?? time(record.created_at);
  const type = text(record.type);
  if (record.record_type !== undefined) return { ...quiet('state', record, ms), marks: ['step_end'] };
  if (isObject(record.payload)) return enveloped(type ?? '(no type)', record.payload, record, ms);
  if (type !== undefined && isResponseItem(type)) return { ...responseItem(type, record), ms };
  if (filled(record.id) !== undefined && ms !== undefined && type === undefined) return header(record, ms);
  if (filled(record.role) !== undefined) return roleRecord(record, ms);
  return opaque(type ?? '(no type)', record, ms);
}

function enveloped(
  type: string,
  payload: JsonObject,
  record: JsonObject,
  ms: number | undefined,
): ParsedRecord {
  switch (type) {
    case 'session_meta':
      return { ...quiet(type, payload, ms), facts: metaFacts(payload), marks: ['session_header'] };
    case 'turn_context':
      return {
        ...quiet(type, payload, ms),
        facts: { model: filled(payload.model), cwd: filled(payload.cwd) },
        marks: ['request'],
      };
    case 'response_item':
      return { ...responseItem(text(payload.type) ?? '', payload), ms };
    case 'event_msg':
      return { ...eventMessage(payload), ms };
    case 'compacted':
      return {
        label: type,
        known: true,
        ms,
        marks: ['compaction'],
        parts: [{ type: 'notification', text: filled(payload.message) ?? 'context compacted' }],
      };
    case 'token_usage_record': {
      const id = filled(payload.response_id);
      return {
        label: type,
        known: true,
        ms,
        parts: [usagePart(payload.usage, payload.usage)],
        usage: { id: id === undefined ? undefined : `codex:${id}`, usage: codexUsage(payload.usage) },
        marks: ['step_end'],
      };
    }
    case 'inter_agent_communication':
      return {
        label: type,
        known: true,
        ms,
        parts: [{ type: 'notification', text: filled(payload.message) ?? contentText(payload.content) }],
      };
    case 'world_state':
    case 'inter_agent_communication_metadata':
    case 'security_risk_score':
      return quiet(type, payload, ms);
    default:
      return opaque(type, record, ms);
  }
}

/** The first line in the oldest generation. */
function header(record: JsonObject, ms: number): ParsedRecord {
  const git = object(record.git);
  return {
    ...quiet('header', record, ms),
    facts: { id: filled(record.id), branch: filled(git.branch), cwd: filled(record.cwd) },
    marks: ['session_header'],
  };
}

/** Early experiments: `{role, content}` without any envelope. */
function roleRecord(record: JsonObject, ms: number | undefined): ParsedRecord {
  const said = contentText(record.content ?? record.message);
  const user = record.role === 'user';
  return {
    label: `role/${text(record.role)}`,
    known: true,
    ms,
    parts: [user ? { type: 'user', text: said, prompt: true } : { type: 'message', text: said }],
    facts: { model: filled(record.model) },
  };
}

function metaFacts(payload: JsonObject): Facts {
  const id = filled(payload.id);
  const subagent = object(payload.source).subagent;
  const spawn = object(object(subagent).thread_spawn);
  const root = filled(payload.session_id);
  const forkedFrom = filled(payload.forked_from_id) ?? filled(object(payload.history_base).thread_id);
  const parent =
    filled(payload.parent_thread_id) ?? filled(spawn.parent_thread_id) ?? (root === id ? undefined : root);
  const isSubagent = subagent !== undefined || payload.thread_source === 'subagent';
  return {
    id,
    cwd: filled(payload.cwd),
    branch: filled(object(payload.git).branch),
    version: filled(payload.cli_version),
    agentName:
      filled(payload.agent_nickname) ??
      filled(spawn.agent_nickname) ??
      (isSubagent ? filled(subagent) : undefined),
    contextWindow: number(payload.model_context_window),
    ...(isSubagent
      ? { parentId: parent ?? forkedFrom, relation: 'subagent' as const }
      : forkedFrom === undefined || forkedFrom === id
        ? {}
        : { parentId: forkedFrom, relation: 'fork' as const }),
  };
}
