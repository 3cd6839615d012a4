import { posix } from 'node:path';
import { restBelow } from '../../contract/inside.ts';
import { redactThenCut } from '../../contract/redact.ts';
import { checkOf } from './checks.ts';
import { commandParts } from './command-parts.ts';
import type { Touch } from './event.ts';
import { type LineCounts, linesOf, passageCounts, sumCounts } from './line-counts.ts';
import { filled, isObject, type JsonObject, list, object, text } from './log-json.ts';
import { patchTouches } from './patch.ts';

export const TOOL_KINDS = [
  'read',
  'write',
  'edit',
  'execute',
  'search',
  'web',
  'agent',
  'plan',
  'mcp',
  'other',
] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** Names of an agent's own tools, in lower case. `list`: lists a folder, reads no file; `patch`: applies a patch. */
export type ToolNames = Readonly<Partial<Record<ToolKind | 'list' | 'patch', readonly string[]>>>;

/** What the tools of an agent do. */
export interface Tools {
  kindOf(name: string): ToolKind;
  /** Files that a call reads or changes, according to its arguments. */
  touchesOf(name: string, args: JsonObject): readonly Touch[];
}

export function toolsNamed(names: ToolNames): Tools {
  const kinds = new Map<string, ToolKind>();
  for (const kind of TOOL_KINDS) for (const name of names[kind] ?? []) kinds.set(name, kind);
  const lists = new Set(names.list);
  const patches = new Set(names.patch);
  for (const name of lists) kinds.set(name, 'read');
  for (const name of patches) kinds.set(name, 'edit');
  const kindOf = (name: string) => kinds.get(name.toLowerCase()) ?? (/^mcp_|__/.test(name) ? 'mcp' : 'other');
  return {
    kindOf,
    touchesOf(name, args) {
      if (lists.has(name.toLowerCase())) return [];
      if (patches.has(name.toLowerCase()))
        return patchTouches(filled(args.input) ?? filled(args.patch) ?? '');
      return touchesOfKind(kindOf(name), args);
    },
  };
}

/** The command line of a call that runs one, without `bash -lc`. */
export function commandOf(args: JsonObject): string | undefined {
  const plain = text(args.command) ?? text(args.cmd) ?? text(args.chars);
  if (plain !== undefined) return plain;
  const words = list(args.command).filter((word) => typeof word === 'string');
  if (words.length === 0) return undefined;
  const wrapped = words.length === 3 && /^-l?c$/.test(words[1] ?? '') && /sh$/.test(words[0] ?? '');
  return wrapped ? words[2] : words.join(' ');
}

function pathOf(args: JsonObject): string | undefined {
  return (
    filled(args.file_path) ??
    filled(args.absolute_path) ??
    filled(args.notebook_path) ??
    filled(args.path) ??
    filled(args.dir_path)
  );
}

function touchesOfKind(kind: ToolKind, args: JsonObject): readonly Touch[] {
  if (kind === 'execute') {
    const command = commandOf(args) ?? '';
    return command.includes('*** Begin Patch') ? patchTouches(command) : [];
  }
  const path = pathOf(args);
  const one = path === undefined ? [] : [path];
  if (kind === 'edit' || kind === 'write')
    return one.map((changed) => ({ path: changed, action: kind, lines: changedLines(args) }));
  if (kind !== 'read') return [];
  const several = [...list(args.paths), ...list(args.include)].filter((given) => typeof given === 'string');
  return [...one, ...several.filter((given) => !/[*?]/.test(given))].map((read) => ({
    path: read,
    action: 'read',
  }));
}

/** Lines that the arguments of an edit add and remove; a file that is written as a whole counts as new. */
function changedLines(args: JsonObject): LineCounts | undefined {
  const edits = list(args.edits).map(object);
  const counts = (edits.length > 0 ? edits : [args]).flatMap((edit) => {
    const before = text(edit.old_string);
    const after = text(edit.new_string);
    return before === undefined || after === undefined ? [] : [passageCounts(before, after)];
  });
  if (counts.length > 0) return sumCounts(counts);
  const content = text(args.content);
  return content === undefined ? undefined : { added: linesOf(content), removed: 0 };
}

/** An absolute path without `//`, `.` or `..`. Windows paths stay as they are. */
export function absolutePath(path: string, cwd: string | undefined): string {
  const plain = path.startsWith('file://') ? decodeUri(path.slice(7)) : path;
  if (/^[A-Za-z]:[\\/]/.test(plain)) return plain;
  if (plain.startsWith('/')) return posix.normalize(plain);
  return cwd === undefined ? plain : posix.normalize(`${cwd.replace(/\\/g, '/')}/${plain}`);
}

/** Touches with absolute paths, redacted. */
export function absoluteTouches(
  touches: readonly Touch[],
  cwd: string | undefined,
  redact: (text: string) => string,
): readonly Touch[] {
  return touches.map((touch) => {
    // Redact before normalising, too: afterwards `redis://:…@host` no longer looks like a URL.
    const plain = redact(touch.path);
    const absolute = absolutePath(plain, cwd);
    return { ...touch, path: absolute === plain ? plain : redact(absolute) };
  });
}

function decodeUri(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const MAX_TARGET_LENGTH = 300;

/** What a call that touches no file is about: the pattern, query, address or task that its arguments name. */
export function targetOf(args: JsonObject, redact: (text: string) => string): string | undefined {
  const words =
    filled(args.pattern) ??
    filled(args.query) ??
    filled(args.url) ??
    filled(args.description) ??
    pathOf(args) ??
    filled(args.name) ??
    filled(args.skill) ??
    filled(args.prompt) ??
    filled(args.message);
  return words === undefined ? undefined : redactThenCut(words, MAX_TARGET_LENGTH, redact).split('\n', 1)[0];
}

/** The redacted command of a call that runs one. */
export function runCommand(args: JsonObject, redact: (text: string) => string): string | undefined {
  const command = commandOf(args);
  return command === undefined ? undefined : redactThenCut(command, MAX_COMMAND_LENGTH, redact);
}

/** The kind of subagent that a call starts. */
export function agentTypeOf(args: JsonObject, redact: (text: string) => string): string | undefined {
  const type =
    filled(args.subagent_type) ?? filled(args.agent_type) ?? filled(args.agent_name) ?? filled(args.agent);
  return type === undefined ? undefined : redactThenCut(type, 100, redact);
}

const MAX_ACTION_LENGTH = 60;
/** How much of a command is searched for its name. */
const MAX_COMMAND_LENGTH = 4_000;

/**
 * A short name for what a call did, the same for the same thing: `npm test`, `edit src/a.ts`. Everything in it is
 * redacted before it is cut.
 */
export function actionOf(
  { name, kind, touched, command }: CallNames,
  args: JsonObject,
  cwd: string | undefined,
  redact: (text: string) => string,
): string {
  if (touched !== undefined && touched.action !== 'read')
    return `${touched.action} ${shortLine(relative(touched.path, cwd))}`;
  if (command !== undefined) return shortLine(commandHead(checkingPart(command) ?? command));
  const target =
    touched?.path ?? pathOf(args) ?? filled(args.pattern) ?? filled(args.query) ?? filled(args.description);
  const label = kind === 'read' ? 'read' : name;
  if (target === undefined) return label;
  return `${label} ${shortLine(relative(redactThenCut(target, MAX_COMMAND_LENGTH, redact), cwd))}`;
}

/** What is known about a call, redacted. */
export interface CallNames {
  readonly name: string;
  readonly kind: ToolKind;
  /** The first file that it reads or changes. */
  readonly touched: Touch | undefined;
  readonly command: string | undefined;
}

function relative(path: string, cwd: string | undefined): string {
  return (cwd && restBelow(path, cwd)) ?? path;
}

/** The most telling check of a chain, as for the call's program: `a` in `cd x && b && a | tail`. */
function checkingPart(command: string): string | undefined {
  const check = checkOf(command)?.check;
  if (check === undefined) return undefined;
  return commandParts(command).findLast(({ text }) => checkOf(text)?.check === check)?.text;
}

/** The part of a command that names it: without leading `cd`, variables and redirections. */
function commandHead(command: string): string {
  const line = command.trim().split('\n', 1)[0] ?? '';
  const last = line.replace(/^(?:cd\s+\S+\s*(?:&&|;)\s*|[A-Z_][A-Z0-9_]*=\S*\s+)+/, '');
  return last.split(/\s+(?:[|<>]|2>|&&|;)/, 1)[0] ?? last;
}

function shortLine(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_ACTION_LENGTH ? line : `${line.slice(0, MAX_ACTION_LENGTH - 1)}…`;
}

/**
 * Arguments as a reader types them: JSON without escapes, so that `echo "hi"` is found by writing `echo "hi"`.
 * Large binary strings are named, not shown.
 */
export function displayArguments(args: unknown): string {
  if (typeof args === 'string') return withoutBinary(args);
  if (args === null || typeof args !== 'object') return String(args);
  if (Array.isArray(args)) return `[${args.map(displayValue).join(',')}]`;
  if (!isObject(args)) return '';
  return `{${Object.entries(args)
    .map(([key, value]) => `"${key}":${displayValue(value)}`)
    .join(',')}}`;
}

function displayValue(value: unknown): string {
  return typeof value === 'string' ? `"${withoutBinary(value)}"` : displayArguments(value);
}

const DATA_URL = /data:([\w/+.-]{1,60});base64,[A-Za-z0-9+/=]{64,}/g;
const BASE64_ONLY = /^[A-Za-z0-9+/]{400,}={0,2}$/;

/** Replaces pictures and other base64 data with a note of their size. */
export function withoutBinary(value: string): string {
  if (value.length < 100) return value;
  if (BASE64_ONLY.test(value)) return `[base64, ${value.length} characters]`;
  if (!value.includes(';base64,')) return value;
  return value.replace(DATA_URL, (whole, kind: string) => `[${kind}, ${whole.length} characters]`);
}
