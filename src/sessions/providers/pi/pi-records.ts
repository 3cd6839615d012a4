import type { Facts, ParsedRecord, Part } from '../../model/event.ts';
import { count, filled, type JsonObject, list, number, object, text, time } from '../../model/log-json.ts';
import { exitCodeIn, outcomeOfFlag } from '../../model/outcome.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { callPart, contentText, opaque, quiet, silentPart } from '../record-parts.ts';

export const piTools = toolsNamed({
  read: ['read'],
  list: ['ls'],
  write: ['write'],
  edit: ['edit', 'hashline_edit'],
  patch: ['apply_patch'],
  execute: ['bash', 'exec', 'process', 'python', 'eval'],
  search: ['grep', 'find', 'lsp', 'ast_grep', 'search'],
  web: ['web_search', 'web_fetch', 'fetch'],
  agent: ['task', 'subagent', 'sessions_spawn'],
  plan: ['todo', 'todo_write', 'update_plan'],
});

const QUIET: ReadonlySet<string> = new Set([
  ...['thinking_level_change', 'custom', 'label', 'mode_change', 'ttsr_injection', 'session_init'],
  ...['reset', 'context_edit'],
]);

/** Reads a line of a pi session: a header, then entries `{type, id, parentId, timestamp, …}` that form a tree. */
export function readPiRecord(record: JsonObject): ParsedRecord {
  const type = text(record.type) ?? '(no type)';
  const ms = time(record.timestamp);
  const id = filled(record.id);
  const base = {
    label: type,
    known: true,
    ms,
    ...(id === undefined || type === 'session' ? {} : { link: { id, parent: filled(record.parentId) } }),
  };
  switch (type) {
    case 'session':
      return { ...base, parts: [silentPart(record)], facts: headerFacts(record), marks: ['session_header'] };
    case 'message':
      return { ...base, ...message(object(record.message), record) };
    case 'model_change':
      return {
        ...base,
        parts: [silentPart(record)],
        facts: { model: filled(record.modelId) ?? filled(record.model) },
      };
    // The first line of an oh-my-pi log, padded so that it can be overwritten in place.
    case 'title':
      return { ...base, parts: [silentPart(record)], facts: { title: filled(record.title) } };
    case 'session_info':
      return { ...base, parts: [silentPart(record)], facts: { title: filled(record.name) } };
    case 'compaction':
      return {
        ...base,
        parts: [{ type: 'notification', text: filled(record.summary) ?? 'context compacted' }],
        ...sideUsage(record),
        marks: ['compaction'],
        compactedTokens: count(record.tokensBefore),
      };
    // Requests outside the conversation, such as those that keep a cache warm.
    case 'usage':
      return { ...base, parts: [silentPart(record)], ...sideUsage(record) };
    case 'branch_summary':
    case 'custom_message': {
      const said = filled(record.summary) ?? contentText(record.content);
      return { ...base, parts: [{ type: 'notification', text: said }], ...sideUsage(record) };
    }
    default:
      return QUIET.has(type) ? quiet(type, record, ms) : opaque(type, record, ms);
  }
}

function headerFacts(header: JsonObject): Facts {
  // A fork names the file it was copied from; the id is the last part of that name.
  const copiedFrom = /([0-9a-f-]{36})\.jsonl$/.exec(text(header.parentSession) ?? '')?.[1];
  const spawnedBy = filled(header.spawnedBy);
  const parentId = spawnedBy ?? filled(header.forkedFrom) ?? copiedFrom;
  const relation = spawnedBy === undefined ? ('fork' as const) : ('subagent' as const);
  return {
    id: filled(header.id),
    cwd: filled(header.cwd),
    title: filled(header.title),
    ...(parentId === undefined ? {} : { parentId, relation }),
  };
}

function message(said: JsonObject, record: JsonObject): ParsedRecord {
  const label = `message/${text(said.role) ?? '(no role)'}`;
  switch (said.role) {
    case 'user':
      return { label, known: true, parts: [{ type: 'user', text: contentText(said.content), prompt: true }] };
    case 'assistant':
      return { label, known: true, ...assistant(said, record) };
    case 'toolResult':
      return { label, known: true, parts: [toolResult(said)] };
    case 'bashExecution':
      return { label, known: true, parts: typedCommand(said, filled(record.id)) };
    // The prompt and tools of the vendor, or changes to them.
    case 'system':
      return { label, known: true, parts: [silentPart(record)] };
    case 'custom':
    case 'hookMessage':
    case 'branchSummary':
    case 'compactionSummary':
      return {
        label,
        known: true,
        parts: [{ type: 'notification', text: filled(said.summary) ?? contentText(said.content) }],
      };
    default:
      return opaque(label, record);
  }
}

function assistant(said: JsonObject, record: JsonObject): Omit<ParsedRecord, 'label' | 'known'> {
  const parts = list(said.content).map(object).flatMap(answerPart);
  const failed = filled(said.errorMessage);
  if (failed !== undefined) parts.push({ type: 'notification', text: failed });
  const response = filled(said.responseId);
  // Copies in forked sessions keep the id of the response, or else its time.
  const id = response === undefined ? `${text(record.id)}:${count(said.timestamp)}` : response;
  return {
    parts: parts.length > 0 ? parts : [silentPart(record)],
    response: filled(record.id),
    facts: { model: filled(said.model) },
    ...usageOf(said, id),
    marks:
      said.stopReason === 'aborted' ? ['interrupted'] : said.stopReason === 'error' ? ['turn_failed'] : [],
  };
}

/** Tokens of a request whose answer is not a message; a copy in a fork has the same id and time. */
function sideUsage(record: JsonObject): Pick<ParsedRecord, 'usage'> {
  return usageOf(record, `${text(record.id)}:${text(record.timestamp)}`);
}

function usageOf({ usage: used, model }: JsonObject, id: string): Pick<ParsedRecord, 'usage'> {
  const usage = object(used);
  if (count(usage.totalTokens) + count(usage.input) + count(usage.output) === 0) return {};
  return {
    usage: {
      id: `pi:${id}`,
      model: filled(model),
      usage: {
        input: count(usage.input),
        cached: count(usage.cacheRead),
        cacheWrite: count(usage.cacheWrite),
        cacheWriteHour: 0,
        output: count(usage.output),
        reasoning: count(usage.reasoning ?? usage.reasoningTokens),
        tool: 0,
      },
    },
  };
}

function answerPart(block: JsonObject): Part[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'message', text: text(block.text) ?? '' }];
    case 'thinking':
      return [{ type: 'reasoning', text: filled(block.thinking) ?? '(encrypted)' }];
    case 'toolCall':
      return [toolCall(block)];
    default:
      return [{ type: 'notification', text: contentText(block) }];
  }
}

function toolCall(block: JsonObject): Part {
  const input = object(block.arguments);
  const edits = (list(input.edits).length > 0 ? list(input.edits) : [input]).map(object).map(plainEdit);
  const whole = list(input.edits).length > 0 ? { edits } : (edits[0] ?? {});
  return {
    ...callPart(filled(block.name) ?? 'tool', filled(block.id), block.arguments),
    args: { ...input, ...whole },
  };
}

/** An edit with the field names that other agents use. */
function plainEdit({ oldText, newText, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    ...(oldText === undefined ? {} : { old_string: oldText }),
    ...(newText === undefined ? {} : { new_string: newText }),
  };
}

function toolResult(said: JsonObject): Part {
  const output = contentText(said.content);
  // OpenClaw records the exit code of a command that failed, and that the call itself was no error.
  const recorded = number(object(said.details).exitCode);
  const inText = piTools.kindOf(filled(said.toolName) ?? '') === 'execute' ? exitCodeIn(output) : undefined;
  return {
    type: 'tool_result',
    text: output,
    callId: filled(said.toolCallId),
    ...outcomeOfFlag(said.isError === true || (recorded ?? 0) !== 0, output),
    exitCode: recorded ?? inText,
    durationMs: number(object(said.details).durationMs),
  };
}

/** A command that a person ran with `!`: a call without a model. */
function typedCommand(said: JsonObject, id: string | undefined): readonly Part[] {
  const exitCode = number(said.exitCode);
  const output = text(said.output) ?? '';
  const status = said.cancelled === true ? 'cancelled' : (exitCode ?? 0) === 0 ? 'ok' : 'failed';
  return [
    callPart('bash', id, { command: text(said.command) ?? '' }),
    { type: 'tool_result', text: output, callId: id, status, exitCode },
  ];
}
