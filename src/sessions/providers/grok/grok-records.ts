import type { ParsedRecord, Part } from '../../model/event.ts';
import { count, filled, type JsonObject, list, number, object, text, time } from '../../model/log-json.ts';
import { outcomeOfFlag } from '../../model/outcome.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { fieldsNamed } from '../record-fields.ts';
import { callPart, contentText, opaque, quiet, silentPart } from '../record-parts.ts';

export const grokTools = toolsNamed({
  read: ['read_file', 'hashline_read'],
  list: ['list_dir'],
  write: ['write_file', 'write'],
  edit: ['search_replace', 'hashline_edit'],
  patch: ['apply_patch'],
  execute: ['run_terminal_command', 'get_command_or_subagent_output', 'kill_command_or_subagent', 'monitor'],
  search: ['grep', 'search_tool', 'hashline_grep', 'glob'],
  web: ['web_search', 'web_fetch'],
  agent: ['spawn_subagent', 'workflow'],
  plan: ['todo_write', 'enter_plan_mode', 'exit_plan_mode'],
  mcp: ['use_tool'],
});

/** Fields in the logs of version 1.0.41. */
export const grokFields = fieldsNamed({
  record: 'timestamp method params',
  params: 'sessionId update _meta',
});

const QUIET =
  /^(?:background_tasks|subagent_spawned|subagent_finished|available_commands_update|current_mode_update|plan|config_option_update)$/;

/** Reads an update of the Agent Client Protocol: `{timestamp, method, params: {sessionId, update, _meta}}`. */
export function readGrokRecord(record: JsonObject): ParsedRecord {
  const params = object(record.params);
  const update = object(params.update);
  const about = object(params._meta);
  const kind = text(update.sessionUpdate) ?? '(no update)';
  const started = number(about.streamStartMs);
  const base = {
    label: kind,
    known: true,
    ms: time(about.agentTimestampMs) ?? time(record.timestamp),
    // Everything that one response streams has the response's start time.
    response: started === undefined ? undefined : `${text(about.promptId)}:${started}`,
  };
  switch (kind) {
    case 'user_message_chunk':
      return {
        ...base,
        parts: [{ type: 'user', text: contentText(update.content), prompt: true }],
        facts: { id: filled(params.sessionId), model: filled(object(update._meta).modelId) },
      };
    case 'agent_message_chunk':
      return { ...base, parts: [{ type: 'message', text: contentText(update.content) }] };
    case 'agent_thought_chunk':
      return { ...base, parts: [{ type: 'reasoning', text: contentText(update.content) }] };
    case 'tool_call':
      return { ...base, parts: [toolCall(update)] };
    case 'tool_call_update':
      return { ...base, response: undefined, parts: [toolUpdate(update, record)] };
    case 'turn_completed':
      return {
        ...base,
        parts: [silentPart(record)],
        usage: usageOf(update),
        marks: update.stop_reason === 'cancelled' ? ['interrupted'] : ['turn_end'],
      };
    default:
      return QUIET.test(kind) ? quiet(kind, record, base.ms) : opaque(kind, record, base.ms);
  }
}

function toolCall(update: JsonObject): Part {
  const input = object(update.rawInput);
  const name = filled(object(object(update._meta)['x.ai/tool']).name) ?? filled(update.title) ?? 'tool';
  const { target_file } = input;
  return {
    ...callPart(name, filled(update.toolCallId), input),
    args: target_file === undefined ? input : { ...input, path: target_file },
  };
}

/** An update without a final status only repeats the call in other words. */
function toolUpdate(update: JsonObject, record: JsonObject): Part {
  const { status } = update;
  if (status !== 'completed' && status !== 'failed') return silentPart(record);
  const raw = object(update.rawOutput);
  const output = list(update.content).map(object).map(contentOf).join('\n');
  const exitCode = number(raw.exit_code);
  const outcome = outcomeOfFlag(status === 'failed' || (exitCode ?? 0) !== 0, output);
  return {
    type: 'tool_result',
    text: output,
    callId: filled(update.toolCallId),
    ...outcome,
    exitCode: exitCode ?? outcome.exitCode,
    agentId: filled(raw.subagent_id),
  };
}

function contentOf(item: JsonObject): string {
  if (item.type === 'diff') return `edited ${text(item.path) ?? ''}`;
  return contentText(item.content);
}

/** Tokens of a whole turn: the log has no numbers per response. */
function usageOf(update: JsonObject): ParsedRecord['usage'] {
  const usage = object(update.usage);
  const cached = count(usage.cachedReadTokens);
  const cacheWrite = count(usage.cacheCreationTokens);
  const [model] = Object.keys(object(usage.modelUsage));
  const prompt = filled(update.prompt_id);
  if (prompt === undefined || count(usage.totalTokens) === 0) return undefined;
  return {
    id: `grok:${prompt}`,
    model,
    usage: {
      input: Math.max(0, count(usage.inputTokens) - cached - cacheWrite),
      cached,
      cacheWrite,
      cacheWriteHour: 0,
      output: count(usage.outputTokens),
      reasoning: count(usage.reasoningTokens),
      tool: 0,
    },
  };
}
