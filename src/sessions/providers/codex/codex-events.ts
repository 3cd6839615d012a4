import { countOf } from '../../../contract/format.ts';
import type { Mark, ParsedRecord, Part } from '../../model/event.ts';
import { count, filled, isObject, type JsonObject, number, object, text } from '../../model/log-json.ts';
import { contentText, opaque, quiet } from '../record-parts.ts';
import { changesText, changeTouches, durationMs, readTouches } from './codex-changes.ts';
import { INJECTED, typedIn } from './codex-items.ts';
import { completedItem } from './codex-turn-items.ts';
import { codexUsage, usagePart } from './codex-usage.ts';

type Body = Omit<ParsedRecord, 'ms'>;

/** Events that only concern the screen. */
const STATE = new Set([
  'task_started',
  'turn_started',
  'thread_settings_applied',
  'thread_goal_updated',
  'view_image_tool_call',
  'image_generation_end',
  'web_search_end',
  'undo_completed',
  'guardian_assessment',
  'sub_agent_activity',
  'dynamic_tool_call_request',
  'dynamic_tool_call_response',
]);

/** An event for the screen; most events repeat response items. */
export function eventMessage(payload: JsonObject): Body {
  const type = text(payload.type) ?? '(no type)';
  const label = `event_msg/${type}`;
  const known = (part: Part, marks: readonly Mark[] = []): Body => ({
    label,
    known: true,
    parts: [part],
    marks,
  });
  switch (type) {
    case 'user_message':
      return known(userMessage(payload));
    case 'agent_message':
      return known({ type: 'message', text: contentText(payload.message), echo: true });
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
      return known({ type: 'reasoning', text: contentText(payload.text), echo: true });
    case 'token_count':
      return tokenCount(label, payload);
    case 'task_complete':
    case 'turn_complete':
      return {
        ...quiet(label, payload),
        marks: isSet(payload.error) ? ['turn_failed', 'turn_end'] : ['turn_end'],
      };
    case 'turn_aborted':
      return known({ type: 'notification', text: `turn aborted: ${text(payload.reason) ?? ''}` }, [
        'interrupted',
      ]);
    case 'context_compacted':
      return known({ type: 'notification', text: 'context compacted' }, ['compaction']);
    case 'thread_rolled_back': {
      const turns = count(payload.num_turns);
      return {
        ...known({ type: 'notification', text: `${countOf(turns, 'turn')} taken back` }),
        rewind: { turns },
      };
    }
    case 'thread_name_updated':
      return {
        ...quiet(label, payload),
        facts: { title: filled(payload.thread_name) ?? filled(payload.name) },
      };
    case 'error':
    case 'stream_error':
    case 'warning':
      return known({
        type: 'notification',
        text: filled(payload.message) ?? filled(object(payload.error).message) ?? JSON.stringify(payload),
      });
    case 'exec_command_end':
      return known(commandEnd(payload));
    case 'patch_apply_end':
      return known(patchEnd(payload));
    case 'mcp_tool_call_end':
      return known(mcpEnd(payload));
    case 'item_completed':
      return completedItem(object(payload.item));
    case 'entered_review_mode':
    case 'exited_review_mode':
      return known({
        type: 'notification',
        text: `${type.replaceAll('_', ' ')} ${filled(payload.prompt) ?? ''}`.trim(),
      });
    case 'collab_agent_spawn_end':
      return known(spawnEnd(payload));
    default:
      if (type.startsWith('collab_')) return known({ type: 'notification', text: JSON.stringify(payload) });
      return STATE.has(type)
        ? { ...quiet(label, payload), facts: windowFacts(payload) }
        : opaque(label, payload);
  }
}

/** Early versions also logged the context they sent in the user's name. */
function userMessage(payload: JsonObject): Part {
  const said = contentText(payload.message);
  const kind = text(payload.kind) ?? 'plain';
  const injected = kind !== 'plain' || INJECTED.test(said);
  return injected
    ? { type: 'notification', text: said, silent: true }
    : { type: 'user', text: said, prompt: true, echo: true, searchText: typedIn(said) };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function windowFacts(payload: JsonObject): ParsedRecord['facts'] {
  const contextWindow = number(payload.model_context_window);
  return contextWindow === undefined ? undefined : { contextWindow };
}

function tokenCount(label: string, payload: JsonObject): Body {
  const info = payload.info;
  const part = usagePart(info, object(info).last_token_usage ?? info);
  if (!isObject(info) || !isObject(info.total_token_usage))
    return { label, known: true, parts: [part], marks: ['request'] };
  return {
    label,
    known: true,
    parts: [part],
    usage: { usage: codexUsage(info.last_token_usage), cumulative: codexUsage(info.total_token_usage) },
    facts: windowFacts(info),
    marks: ['request'],
  };
}

function commandEnd(payload: JsonObject): Part {
  const exitCode = number(payload.exit_code);
  return {
    type: 'tool_result',
    text: text(payload.aggregated_output) ?? `${text(payload.stdout) ?? ''}${text(payload.stderr) ?? ''}`,
    callId: filled(payload.call_id),
    echo: true,
    status: exitCode === undefined || exitCode === 0 ? 'ok' : 'failed',
    exitCode,
    durationMs: durationMs(payload.duration),
    touches: readTouches(payload.parsed_cmd),
  };
}

/** The result of starting a subagent, with its thread. */
function spawnEnd(payload: JsonObject): Part {
  return {
    type: 'tool_result',
    text: JSON.stringify(payload),
    searchText: filled(payload.prompt) ?? '',
    callId: filled(payload.call_id),
    echo: true,
    status: filled(payload.new_thread_id) === undefined ? 'failed' : 'ok',
    agentId: filled(payload.new_thread_id),
  };
}

function patchEnd(payload: JsonObject): Part {
  return {
    type: 'tool_result',
    text: [text(payload.stdout) ?? '', text(payload.stderr) ?? '', changesText(payload.changes)]
      .join('\n')
      .trim(),
    callId: filled(payload.call_id),
    echo: true,
    status: payload.success === false ? 'failed' : 'ok',
    touches: changeTouches(payload.changes),
  };
}

function mcpEnd(payload: JsonObject): Part {
  const result = object(payload.result);
  const ok = object(result.Ok);
  const failed = result.Err !== undefined || ok.isError === true || ok.is_error === true;
  return {
    type: 'tool_result',
    text: result.Err === undefined ? contentText(ok.content) : contentText(result.Err),
    callId: filled(payload.call_id),
    echo: true,
    status: failed ? 'failed' : 'ok',
    durationMs: durationMs(payload.duration),
  };
}
