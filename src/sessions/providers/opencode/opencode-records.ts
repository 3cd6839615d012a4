import type { Facts, ParsedRecord, Part, Touch } from '../../model/event.ts';
import { diffCounts } from '../../model/line-counts.ts';
import { count, filled, type JsonObject, list, number, object, text, time } from '../../model/log-json.ts';
import { outcomeOfFlag } from '../../model/outcome.ts';
import { type Tools, toolsNamed } from '../../model/tool-kinds.ts';
import { callPart, opaque, quiet, silentPart } from '../record-parts.ts';
import { UNNAMED } from './opencode-store.ts';

const named = toolsNamed({
  read: ['read'],
  list: ['list', 'ls'],
  write: ['write'],
  edit: ['edit', 'multiedit'],
  patch: ['patch', 'apply_patch'],
  execute: ['bash', 'shell'],
  search: ['grep', 'glob', 'codesearch', 'lsp'],
  web: ['webfetch', 'websearch'],
  agent: ['task'],
  plan: ['todowrite', 'todoread', 'plan_enter', 'plan_exit'],
  other: ['skill', 'question', 'invalid', 'batch'],
});

/** Tools of MCP servers are named `<server>_<tool>`; its own have no underscore, except for those above. */
export const opencodeTools: Tools = {
  kindOf(name) {
    const kind = named.kindOf(name);
    return kind === 'other' && name.includes('_') ? 'mcp' : kind;
  },
  touchesOf: named.touchesOf,
};

/** Reads a record that the store built from rows; see opencode-store.ts. */
export function readOpencodeRecord(record: JsonObject): ParsedRecord {
  switch (record.type) {
    case 'session':
      return { ...quiet('session', record, time(record.time_created)), facts: sessionFacts(record) };
    case 'prompt':
      return prompt(record);
    case 'part':
      return said(record, object(record.part));
    case 'done':
      return done(record);
    default:
      return opaque(text(record.type) ?? '(no type)', record);
  }
}

function sessionFacts(session: JsonObject): Facts {
  const parentId = filled(session.parent_id);
  const title = filled(session.title);
  return {
    id: filled(session.id),
    cwd: filled(session.directory),
    version: filled(session.version),
    title: title === undefined || UNNAMED.test(title) ? undefined : title,
    ...(parentId === undefined ? {} : { parentId, relation: 'subagent' as const }),
  };
}

function prompt(record: JsonObject): ParsedRecord {
  const message = object(record.message);
  const parts = list(record.parts).map(object).map(promptPart);
  const { modelID } = object(message.model);
  const typed = list(record.parts).map(object).filter(isTyped);
  const unknown = list(record.parts)
    .map((part) => text(object(part).type) ?? '')
    .find((type) => !PROMPT_PARTS.has(type));
  return {
    label: unknown === undefined ? 'prompt' : `prompt/${unknown}`,
    known: unknown === undefined,
    ms: time(object(message.time).created),
    parts: parts.length > 0 ? parts : [silentPart(record)],
    facts: { model: filled(modelID) },
    link: { id: text(record.id) ?? '', parent: undefined },
    ...(typed.length === 0 && list(record.parts).some((part) => object(part).type === 'compaction')
      ? { marks: ['compaction'] as const }
      : {}),
  };
}

const PROMPT_PARTS: ReadonlySet<string> = new Set([
  ...['text', 'file', 'agent', 'subtask', 'compaction', 'snapshot', 'patch'],
]);

/** Text that a person wrote, not the client on their behalf. */
function isTyped(part: JsonObject): boolean {
  return part.type === 'text' && part.synthetic !== true && part.ignored !== true;
}

function promptPart(part: JsonObject): Part {
  if (isTyped(part)) return { type: 'user', text: unquoted(text(part.text) ?? ''), prompt: true };
  const said = text(part.text) ?? filled(part.prompt) ?? filled(part.filename) ?? filled(part.name);
  return said === undefined || part.type === 'compaction'
    ? { ...silentPart(part), type: 'notification' }
    : { type: 'notification', text: said };
}

/** `opencode run` adds quotes to a prompt that is passed as a single argument. */
function unquoted(said: string): string {
  return /^"[^"]*"$/.test(said) ? said.slice(1, -1) : said;
}

function said(record: JsonObject, part: JsonObject): ParsedRecord {
  const kind = text(part.type) ?? '(no type)';
  const state = object(part.state);
  const started = object(state.time ?? part.time).start;
  const base = {
    label: `part/${kind}`,
    known: true,
    ms: time(started) ?? time(object(record.time).created),
    response: `${text(record.message)}#${count(record.step)}`,
    facts: { model: filled(record.modelID) },
  };
  switch (kind) {
    case 'text':
      return { ...base, parts: [{ type: 'message', text: text(part.text) ?? '' }] };
    case 'reasoning':
      return { ...base, parts: [{ type: 'reasoning', text: filled(part.text) ?? '(encrypted)' }] };
    case 'tool':
      return { ...base, parts: [toolCall(part)] };
    case 'step-finish':
      return { ...base, parts: [silentPart(part)], usage: usageOf(record, part) };
    case 'retry':
      return { ...base, parts: [{ type: 'notification', text: errorText(object(part.error)) }] };
    case 'compaction':
      return { ...base, parts: [silentPart(part)], marks: ['compaction'] };
    case 'step-start':
    case 'snapshot':
    case 'patch':
    case 'file':
    case 'agent':
    case 'subtask':
      return { ...base, parts: [silentPart(part)] };
    default:
      return { ...base, ...opaque(base.label, part, base.ms) };
  }
}

/** Tokens of one request. Copies in forked sessions have other ids but the same times. */
function usageOf(record: JsonObject, part: JsonObject): ParsedRecord['usage'] {
  const tokens = object(part.tokens);
  const cache = object(tokens.cache);
  const reasoning = count(tokens.reasoning);
  const { created } = object(record.time);
  return {
    id: `opencode:${created}:${filled(record.modelID) ?? ''}:${count(record.step)}:${count(tokens.input)}:${count(tokens.output)}`,
    model: filled(record.modelID),
    usage: {
      input: count(tokens.input),
      cached: count(cache.read),
      cacheWrite: count(cache.write),
      cacheWriteHour: 0,
      output: count(tokens.output) + reasoning,
      reasoning,
      tool: 0,
    },
  };
}

const SNAKE = /[A-Z]/g;

/** Arguments with the names that the other agents use: `filePath` is `file_path`. */
function plainArguments(input: JsonObject): JsonObject {
  const snake = (name: string) => name.replace(SNAKE, (letter) => `_${letter.toLowerCase()}`);
  const edits = list(input.edits).map((edit) => plainArguments(object(edit)));
  return {
    ...Object.fromEntries(Object.entries(input).map(([name, value]) => [snake(name), value])),
    ...(edits.length > 0 ? { edits } : {}),
    ...(typeof input.patchText === 'string' ? { patch: input.patchText } : {}),
  };
}

function toolCall(part: JsonObject): Part {
  const input = object(object(part.state).input);
  return {
    ...callPart(filled(part.tool) ?? 'tool', filled(part.callID), input),
    args: plainArguments(input),
    agentId: filled(object(object(part.state).metadata).sessionId),
  };
}

/** The end of a response: the answers of its tools, and whether it failed. */
function done(record: JsonObject): ParsedRecord {
  const message = object(record.message);
  const answers = list(record.tools).map(object).flatMap(toolResult);
  const error = object(message.error);
  const failed = filled(error.name);
  const told: readonly Part[] =
    failed === undefined ? [] : [{ type: 'notification', text: errorText(error) }];
  const parts = [...answers, ...told];
  return {
    label: 'done',
    known: true,
    ms: time(object(message.time).completed) ?? time(object(message.time).created),
    parts: parts.length > 0 ? parts : [silentPart(record)],
    marks: failed === undefined ? [] : [failed === 'MessageAbortedError' ? 'interrupted' : 'turn_failed'],
    facts: { cwd: filled(object(message.path).cwd) },
  };
}

function errorText(error: JsonObject): string {
  const data = object(error.data);
  return filled(data.message) ?? filled(error.message) ?? filled(error.name) ?? JSON.stringify(error);
}

function toolResult(part: JsonObject): readonly Part[] {
  const state = object(part.state);
  const { status } = state;
  if (status !== 'completed' && status !== 'error') return [];
  const output = text(state.output) ?? text(state.error) ?? '';
  const metadata = object(state.metadata);
  const exitCode = number(metadata.exit);
  const outcome = outcomeOfFlag(status === 'error' || (exitCode ?? 0) !== 0, output);
  const { start, end } = object(state.time);
  const durationMs = (number(end) ?? Number.NaN) - (number(start) ?? Number.NaN);
  return [
    {
      type: 'tool_result',
      text: output,
      callId: filled(part.callID),
      ...outcome,
      exitCode: exitCode ?? outcome.exitCode,
      durationMs: Number.isFinite(durationMs) ? durationMs : undefined,
      agentId: filled(metadata.sessionId),
      touches: changes(part).map(({ touch }) => touch),
    },
  ];
}

/** Files that a tool changed, with the diffs that opencode recorded. */
function changes(part: JsonObject): readonly { readonly touch: Touch; readonly diff: string }[] {
  const metadata = object(object(part.state).metadata);
  const files = [metadata.filediff, ...list(metadata.files)].map(object);
  return files.flatMap((file) => {
    const path = filled(file.file) ?? filled(file.filePath) ?? filled(file.path);
    const diff = filled(file.patch) ?? filled(file.diff) ?? filled(metadata.diff);
    if (path === undefined || diff === undefined) return [];
    return [{ touch: { path, action: 'edit' as const, lines: diffCounts(diff) }, diff }];
  });
}

/** The diff of a file, from the record that has the answers of tools. */
export function opencodeDiff(record: JsonObject, path: string): string | undefined {
  for (const part of list(record.tools).map(object))
    for (const { touch, diff } of changes(part))
      if (touch.path === path) return diff.replace(/^(?:Index: .*\n|=+\n|--- .*\n|\+\+\+ .*\n)+/, '');
  return undefined;
}
