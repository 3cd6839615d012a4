import { posix } from 'node:path';
import { redactThenCut } from '../../contract/redact.ts';
import type { Touch, TouchAction } from './event.ts';
import { filled, isObject, type JsonObject, list, text } from './log-json.ts';
import { patchTouches } from './patch.ts';

const TOOL_KINDS = ['read', 'write', 'edit', 'execute', 'search', 'agent', 'plan', 'mcp', 'other'] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** What each client calls its own tools; names in small letters. */
const NAMES: Readonly<Partial<Record<ToolKind, string>>> = {
  read: 'read read_file readfile read_many_files notebookread view_image ls list_directory',
  write: 'write write_file writefile',
  edit: 'edit multiedit notebookedit replace apply_patch',
  execute:
    'bash bashoutput killshell shell shell_command exec_command local_shell write_stdin container.exec run_shell_command',
  search:
    'grep glob grep_search search_file_content websearch web_search webfetch web_fetch google_web_search tool_search toolsearch',
  agent: 'task agent spawn_agent invoke_agent codebase_investigator',
  plan: 'todowrite todoread update_plan write_todos exitplanmode',
};

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  TOOL_KINDS.flatMap((kind) => (NAMES[kind] ?? '').split(' ').map((name) => [name, kind] as const)),
);

export function toolKind(name: string): ToolKind {
  const known = KINDS.get(name.toLowerCase());
  if (known !== undefined) return known;
  return /^mcp_|__/.test(name) ? 'mcp' : 'other';
}

/** The command line of a tool that runs one; a shell wrapper is taken off. */
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

/** Files that a call reads or changes, as its arguments say. */
export function touchesOf(name: string, args: JsonObject): readonly Touch[] {
  const kind = toolKind(name);
  if (name.toLowerCase() === 'apply_patch') {
    return patchTouches(filled(args.input) ?? filled(args.patch) ?? '');
  }
  if (kind === 'execute') {
    const command = commandOf(args) ?? '';
    return command.includes('*** Begin Patch') ? patchTouches(command) : [];
  }
  if (kind === 'read') {
    const paths = [...list(args.paths), ...list(args.include)].filter((path) => typeof path === 'string');
    const one = pathOf(args);
    if (name === 'ls' || name === 'LS' || name === 'list_directory') return [];
    return [...(one === undefined ? [] : [one]), ...paths.filter((path) => !/[*?]/.test(path))].map(
      (path) => ({
        path,
        action: 'read',
      }),
    );
  }
  if (kind !== 'edit' && kind !== 'write') return [];
  const path = pathOf(args);
  const action: TouchAction = kind;
  return path === undefined ? [] : [{ path, action }];
}

/** A path of a log made absolute and plain: no `//`, `.` or `..`. Paths of Windows are left as they are. */
export function absolutePath(path: string, cwd: string | undefined): string {
  const plain = path.startsWith('file://') ? decodeUri(path.slice(7)) : path;
  if (/^[A-Za-z]:[\\/]/.test(plain)) return plain;
  if (plain.startsWith('/')) return posix.normalize(plain);
  return cwd === undefined ? plain : posix.normalize(`${cwd.replace(/\\/g, '/')}/${plain}`);
}

function decodeUri(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const ACTION_LENGTH = 60;
/** So much of a command is looked at for its name. */
const COMMAND_LENGTH = 4_000;

/**
 * A short name for what a call did, the same for the same thing: `npm test`, `edit src/a.ts`. Everything in it is
 * redacted before it is cut; the name of the tool is so already.
 */
export function actionOf(
  name: string,
  args: JsonObject,
  cwd: string | undefined,
  redact: (text: string) => string,
): string {
  const shorten = (value: string) => shortLine(redactThenCut(value, COMMAND_LENGTH, redact));
  const kind = toolKind(name);
  const touched = touchesOf(name, args)[0];
  if (touched !== undefined && touched.action !== 'read') {
    return `${touched.action} ${shorten(relative(touched.path, cwd))}`;
  }
  if (kind === 'execute') {
    const command = commandOf(args);
    if (command !== undefined) return shortLine(commandHead(redactThenCut(command, COMMAND_LENGTH, redact)));
  }
  const target = pathOf(args) ?? filled(args.pattern) ?? filled(args.query) ?? filled(args.description);
  const label = kind === 'read' ? 'read' : name;
  return target === undefined ? label : `${label} ${shorten(relative(target, cwd))}`;
}

function relative(path: string, cwd: string | undefined): string {
  return cwd !== undefined && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

/** The part of a command that names it: without leading `cd`, variables and redirections. */
function commandHead(command: string): string {
  const line = command.trim().split('\n', 1)[0] ?? '';
  const last = line.replace(/^(?:cd\s+\S+\s*(?:&&|;)\s*|[A-Z_][A-Z0-9_]*=\S*\s+)+/, '');
  return last.split(/\s+(?:[|<>]|2>|&&|;)/, 1)[0] ?? last;
}

function shortLine(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim();
  return line.length <= ACTION_LENGTH ? line : `${line.slice(0, ACTION_LENGTH - 1)}…`;
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

/** Pictures and other base64 data are named with their size. */
export function withoutBinary(value: string): string {
  if (value.length < 100) return value;
  if (BASE64_ONLY.test(value)) return `[base64, ${value.length} characters]`;
  if (!value.includes(';base64,')) return value;
  return value.replace(DATA_URL, (whole, kind: string) => `[${kind}, ${whole.length} characters]`);
}
