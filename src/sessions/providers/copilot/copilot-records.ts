import type { Mark, ParsedRecord, Part, Usage } from '../../model/event.ts';
import { diffCounts } from '../../model/line-counts.ts';
import {
  count,
  filled,
  isObject,
  type JsonObject,
  list,
  number,
  object,
  text,
  time,
} from '../../model/log-json.ts';
import { exitCodeIn, outcomeOfFlag } from '../../model/outcome.ts';
import { type Tools, toolsNamed } from '../../model/tool-kinds.ts';
import { callPart, contentText, opaque, quiet, silentPart } from '../record-parts.ts';

const named = toolsNamed({
  read: ['view', 'read_bash', 'read_powershell'],
  write: ['create'],
  edit: ['edit', 'str_replace_editor', 'str_replace', 'insert'],
  patch: ['apply_patch'],
  execute: ['bash', 'powershell', 'write_bash', 'write_powershell', 'stop_bash', 'stop_powershell'],
  search: ['grep', 'glob', 'rg', 'lsp', 'tool_search', 'session_store_sql', 'sql'],
  web: ['web_fetch', 'web_search', 'fetch'],
  agent: ['task', 'read_agent', 'write_agent', 'list_agents'],
  plan: ['update_todo', 'report_intent', 'exit_plan_mode'],
  other: ['skill', 'ask_user', 'store_memory', 'fetch_copilot_cli_documentation', 'task_complete'],
});

/** Tools of MCP servers are named `<server>-<tool>`. */
export const copilotTools: Tools = {
  kindOf(name) {
    const kind = named.kindOf(name);
    return kind === 'other' && name.includes('-') ? 'mcp' : kind;
  },
  touchesOf: named.touchesOf,
};

/** Records that repeat others or that nobody searches for. */
const QUIET =
  /^(?:system\.message|assistant\.turn_start|subagent\.\w+|session\.(?:model_change|mode_changed|info|context_changed|title_changed|task_complete|plan_changed|workspace_file_changed|truncation|usage_info|usage_checkpoint|handoff|snapshot_rewind|permissions_changed|session_limits_changed|mcp_servers_loaded|skills_loaded|tools_updated|background_tasks_changed|custom_agents_updated|remote_steerable_changed|schedule_created|schedule_cancelled|autopilot_objective_changed|extensions_loaded|idle)|hook\.(?:start|end)|skill\.invoked|tool\.(?:user_requested|execution_progress|execution_partial_result)|permission\.\w+|external_tool\.\w+|user_input\.\w+|elicitation\.\w+|command\.\w+|pending_messages\.\w+|assistant\.(?:intent|usage|streaming_delta|message_delta|reasoning_delta))$/;

/** Reads a line of `events.jsonl`: `{type, data, id, timestamp, parentId, agentId?}`. */
export function readCopilotRecord(record: JsonObject): ParsedRecord {
  const type = text(record.type) ?? '(no type)';
  const data = object(record.data);
  const base = {
    label: type,
    known: true,
    ms: time(record.timestamp),
    // A subagent writes to the log of its session.
    sidechain: filled(record.agentId) !== undefined,
    link: { id: text(record.id) ?? '', parent: filled(record.parentId) },
  };
  switch (type) {
    case 'session.start':
    case 'session.resume':
      return { ...base, parts: [silentPart(record)], facts: startFacts(data) };
    case 'user.message':
      return { ...base, parts: [prompt(data)] };
    case 'assistant.message':
      return {
        ...base,
        parts: answer(data, record),
        response: filled(data.apiCallId) ?? filled(data.messageId),
        facts: base.sidechain ? {} : { model: filled(data.model) },
      };
    case 'assistant.reasoning':
      return { ...base, parts: [{ type: 'reasoning', text: text(data.content) ?? '', echo: true }] };
    case 'tool.execution_start': {
      const call = toolCall(data.toolName, data.toolCallId, data.arguments);
      // The message before has the same call, unless an older version wrote it.
      return { ...base, parts: [{ ...call, identity: `${text(data.toolCallId)}|call` }] };
    }
    case 'tool.execution_complete':
      return { ...base, parts: [result(data)] };
    case 'session.usage_record':
      return {
        ...base,
        parts: [silentPart(record)],
        response: filled(object(data.usage).apiCallId),
        usage: usageRecord(object(data.usage)),
      };
    case 'assistant.turn_end':
      return { ...base, parts: [silentPart(record)], marks: ['step_end'] };
    case 'session.compaction_complete':
      return {
        ...base,
        parts: [{ type: 'notification', text: filled(data.summaryContent) ?? 'context compacted' }],
        marks: ['compaction'],
        compactedTokens: count(data.preCompactionTokens),
      };
    case 'session.compaction_start':
      return { ...base, parts: [silentPart(record)] };
    case 'session.error':
    case 'session.warning':
      return notice(base, data, type === 'session.error' ? ['turn_failed'] : []);
    case 'abort':
      return notice(base, data, ['interrupted']);
    case 'system.notification':
      return notice(base, data, []);
    case 'session.shutdown':
      return { ...base, parts: [silentPart(record)], facts: { clientUsage: totals(data) } };
    default:
      return QUIET.test(type)
        ? { ...quiet(type, record, base.ms), sidechain: base.sidechain }
        : { ...opaque(type, record, base.ms), sidechain: base.sidechain };
  }
}

function notice(base: Omit<ParsedRecord, 'parts'>, data: JsonObject, marks: readonly Mark[]): ParsedRecord {
  const said = filled(data.message) ?? filled(data.content) ?? filled(data.reason) ?? JSON.stringify(data);
  return { ...base, parts: [{ type: 'notification', text: said }], marks };
}

function startFacts(data: JsonObject): ParsedRecord['facts'] {
  const context = object(data.context);
  return {
    id: filled(data.sessionId),
    cwd: filled(context.cwd),
    branch: filled(context.branch),
    version: filled(data.copilotVersion),
    model: filled(data.selectedModel),
  };
}

/** Messages with a source come from a skill, a hook or another agent. */
function prompt(data: JsonObject): Part {
  const said = text(data.content) ?? '';
  const typed = (data.source ?? 'user') === 'user';
  return typed ? { type: 'user', text: said, prompt: true } : { type: 'user', text: said, prompt: false };
}

function answer(data: JsonObject, record: JsonObject): readonly Part[] {
  const thought = filled(data.reasoningText);
  const said = filled(data.content);
  const parts: Part[] = [
    ...(thought === undefined ? [] : [{ type: 'reasoning' as const, text: thought, echo: true }]),
    ...(said === undefined ? [] : [{ type: 'message' as const, text: said }]),
    ...list(data.toolRequests)
      .map(object)
      .map((call) => ({
        ...toolCall(call.name, call.toolCallId, call.arguments),
        identity: `${text(call.toolCallId)}|call`,
      })),
  ];
  return parts.length > 0 ? parts : [silentPart(record)];
}

function toolCall(name: unknown, id: unknown, args: unknown): Part {
  const call = callPart(filled(name) ?? 'tool', filled(id), args);
  const { old_str, new_str, file_text, ...rest } = object(args);
  return {
    ...call,
    args: isObject(args)
      ? {
          ...rest,
          ...(old_str === undefined ? {} : { old_string: old_str }),
          ...(new_str === undefined ? {} : { new_string: new_str }),
          ...(file_text === undefined ? {} : { content: file_text }),
        }
      : call.args,
  };
}

function result(data: JsonObject): Part {
  const output = contentText(object(data.result).content ?? object(data.error).message ?? '');
  const exitCode = number(object(data.shellExecution).exitCode) ?? exitCodeIn(output);
  const failed = data.success === false || (data.success === true && (exitCode ?? 0) !== 0);
  const denied = /^(?:rejected|denied)$/.test(text(object(data.error).code) ?? '');
  const diff = editDiff(data);
  const [edited] = list(data.fileEdits).map(object);
  const path = filled(edited?.path);
  return {
    type: 'tool_result',
    text: output,
    callId: filled(data.toolCallId),
    ...(denied ? { status: 'rejected' } : outcomeOfFlag(failed, output)),
    exitCode,
    agentId: filled(object(object(data.toolTelemetry).restrictedProperties).agent_id),
    ...(diff === undefined || path === undefined
      ? {}
      : {
          touches: [
            { path, action: edited?.kind === 'create' ? 'write' : 'edit', lines: diffCounts(diff) } as const,
          ],
        }),
  };
}

/** The diff that Copilot shows for an edit; it also shows one for files that were only read. */
function editDiff(data: JsonObject): string | undefined {
  return list(data.fileEdits).length === 0 ? undefined : filled(object(data.result).detailedContent);
}

export function copilotDiff(record: JsonObject): string | undefined {
  const diff = editDiff(object(record.data));
  const hunk = diff?.indexOf('@@ ') ?? -1;
  return diff === undefined || hunk < 0 ? undefined : diff.slice(hunk).trimEnd();
}

function usageRecord(usage: JsonObject): ParsedRecord['usage'] {
  const id = filled(object(usage.accounting).usageId) ?? filled(usage.apiCallId);
  return {
    id: id === undefined ? undefined : `copilot:${id}`,
    model: filled(usage.model),
    usage: tokens(usage),
    ahead: true,
  };
}

function tokens(usage: JsonObject): Usage {
  const cached = count(usage.cacheReadTokens);
  const cacheWrite = count(usage.cacheWriteTokens);
  return {
    input: Math.max(0, count(usage.inputTokens) - cached - cacheWrite),
    cached,
    cacheWrite,
    cacheWriteHour: 0,
    output: count(usage.outputTokens),
    reasoning: count(usage.reasoningTokens),
    tool: 0,
  };
}

/** What the whole session used, by model: older versions log nothing else. */
function totals(data: JsonObject): Readonly<Record<string, Usage>> | undefined {
  const metrics = object(object(data.accountingSnapshot).modelMetrics ?? data.modelMetrics);
  const models = Object.entries(metrics).map(
    ([model, used]) => [model, tokens(object(object(used).usage))] as const,
  );
  return models.length === 0 ? undefined : Object.fromEntries(models);
}
