import type { ParsedRecord, Part } from '../../model/event.ts';
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
import { toolsNamed } from '../../model/tool-kinds.ts';
import { callPart, contentText, opaque, quiet } from '../record-parts.ts';

export const qwenTools = toolsNamed({
  read: ['read_file', 'read_many_files'],
  list: ['list_directory'],
  write: ['write_file'],
  edit: ['edit', 'replace', 'notebook_edit'],
  execute: ['run_shell_command', 'monitor'],
  search: ['grep_search', 'glob', 'search_file_content', 'tool_search', 'lsp'],
  web: ['web_fetch', 'web_search'],
  agent: ['agent', 'task', 'send_message'],
  plan: ['todo_write', 'exit_plan_mode', 'update_goal', 'get_goal'],
  other: ['skill', 'ask_user_question', 'task_stop', 'list_agents', 'save_memory'],
});

/** Records about the session that nobody searches for, by subtype. */
const QUIET_SYSTEM: ReadonlySet<string> = new Set([
  ...['ui_telemetry', 'attribution_snapshot', 'at_command', 'branch_checkpoint', 'file_history_snapshot'],
  ...['session_artifact_event', 'session_artifact_snapshot', 'session_source', 'session_sources_snapshot'],
  ...['session_model', 'session_recording_degraded', 'parent_session', 'user_text_elements', 'turn_result'],
  ...['goal_state', 'goal_runtime', 'goal_turn_end', 'background_task_completed', 'mid_turn_user_message'],
  ...['rewind', 'omni_recall', 'realtime_message'],
]);

/** Reads a line of a Qwen Code chat: `{uuid, parentUuid, type, message: {role, parts}, …}`. */
export function readQwenRecord(record: JsonObject): ParsedRecord {
  const { type } = record;
  const ms = time(record.timestamp);
  const base = {
    ms,
    facts: {
      cwd: filled(record.cwd),
      version: filled(record.version),
      branch: filled(record.gitBranch),
      model: filled(record.model),
    },
    ...(typeof record.uuid === 'string'
      ? { link: { id: record.uuid, parent: filled(record.parentUuid) } }
      : {}),
  };
  if (type === 'system') return { ...base, ...system(record, ms) };
  const parts = list(object(record.message).parts).map(object);
  if (type === 'user') return { ...base, label: 'user', known: true, parts: [asked(record, parts)] };
  if (type === 'assistant') {
    const said = parts.flatMap((part) => answerPart(part));
    return {
      ...base,
      label: 'assistant',
      known: true,
      response: filled(record.agentRunId) && `${record.agentRunId}#${count(record.agentRound)}`,
      parts: said.length > 0 ? said : quiet('assistant', record).parts,
      usage: usageOf(record),
      ...(isObject(record.usageMetadata) && record.agentRound === undefined ? { marks: ['step_end'] } : {}),
    };
  }
  if (type === 'tool_result') {
    const results = parts.flatMap((part) =>
      isObject(part.functionResponse)
        ? [resultPart(part.functionResponse, object(record.toolCallResult))]
        : [],
    );
    return {
      ...base,
      label: 'tool_result',
      known: true,
      parts: results.length > 0 ? results : quiet('tool_result', record).parts,
    };
  }
  return opaque(text(type) ?? '(no type)', record, ms);
}

function system(record: JsonObject, ms: number | undefined): ParsedRecord {
  const subtype = text(record.subtype) ?? '(none)';
  const label = `system/${subtype}`;
  const payload = object(record.systemPayload);
  if (subtype === 'chat_compression') {
    const compactedTokens = count(object(payload.info).originalTokenCount);
    return { ...quiet(label, record, ms), marks: ['compaction'], compactedTokens };
  }
  if (subtype === 'slash_command') {
    const said = filled(payload.rawCommand) ?? '';
    return { label, known: true, ms, parts: [{ type: 'notification', text: said, silent: said === '' }] };
  }
  if (subtype === 'custom_title')
    return { ...quiet(label, record, ms), facts: { title: filled(payload.customTitle) } };
  return QUIET_SYSTEM.has(subtype) ? quiet(label, record, ms) : opaque(label, record, ms);
}

/** What a person typed; the client's notifications have the same type, but with a subtype. */
function asked(record: JsonObject, parts: readonly JsonObject[]): Part {
  const said = contentText(parts);
  const typed = record.subtype === undefined && (record.provenance ?? 'real_user') === 'real_user';
  if (!typed) return { type: 'notification', text: said };
  const command = /^[/?]/.test(said);
  return { type: 'user', text: said, prompt: !command, command };
}

function answerPart(part: JsonObject): readonly Part[] {
  if (isObject(part.functionCall)) {
    const { name, id, args } = part.functionCall;
    return [callPart(filled(name) ?? 'tool', filled(id), args)];
  }
  const said = filled(part.text);
  if (said === undefined) return [];
  return [{ type: part.thought === true ? 'reasoning' : 'message', text: said }];
}

/** With some model interfaces the output includes the thoughts, with others it does not; the total shows which. */
function usageOf(record: JsonObject): ParsedRecord['usage'] {
  if (!isObject(record.usageMetadata)) return undefined;
  const used = record.usageMetadata;
  const prompt = count(used.promptTokenCount);
  const cached = Math.min(prompt, count(used.cachedContentTokenCount));
  const said = count(used.candidatesTokenCount);
  const reasoning = count(used.thoughtsTokenCount);
  const total = count(used.totalTokenCount);
  return {
    id: `qwen:${text(record.uuid) ?? ''}`,
    model: filled(record.model),
    usage: {
      input: prompt - cached,
      cached,
      cacheWrite: 0,
      cacheWriteHour: 0,
      output: total === prompt + said + reasoning ? said + reasoning : said,
      reasoning,
      tool: 0,
    },
  };
}

function resultPart(response: JsonObject, result: JsonObject): Part {
  const answer = object(response.response);
  const said = text(answer.output) ?? text(answer.error) ?? contentText(answer.content ?? answer);
  const name = filled(response.name) ?? 'tool';
  const failed = answer.error !== undefined || result.status === 'error' || result.status === 'cancelled';
  const outcome = outcomeOfFlag(failed, said);
  const diff = filled(object(result.resultDisplay).fileDiff);
  const path = diffPath(object(result.resultDisplay));
  return {
    type: 'tool_result',
    text: said,
    callId: filled(response.id),
    ...outcome,
    ...(result.status === 'cancelled' && outcome.status === 'failed' ? { status: 'cancelled' } : {}),
    exitCode: qwenTools.kindOf(name) === 'execute' ? exitCodeIn(said) : undefined,
    durationMs: number(result.durationMs),
    ...(diff === undefined || path === undefined
      ? {}
      : { touches: [{ path, action: 'edit' as const, lines: diffCounts(diff) }] }),
  };
}

function diffPath(display: JsonObject): string | undefined {
  return filled(display.filePath);
}

/** The diff that Qwen Code shows for an edit. */
export function qwenDiff(record: JsonObject): string | undefined {
  const diff = filled(object(object(record.toolCallResult).resultDisplay).fileDiff);
  return diff?.replace(/^(?:Index: .*\n|=+\n|--- .*\n|\+\+\+ .*\n)+/, '');
}
