import { lineDiff } from './diff-lines.ts';

const EDIT_TOOLS = new Set([
  'edit',
  'multiedit',
  'write',
  'apply_patch',
  'replace',
  'write_file',
  'notebookedit',
]);
const PATHS = ['file_path', 'notebook_path', 'absolute_path', 'path'];
const TELLING = ['command', 'cmd', 'pattern', 'query', ...PATHS, 'url', 'description', 'prompt'];

export function isEdit(tool: string): boolean {
  return EDIT_TOOLS.has(tool.toLowerCase());
}

const AGENT_TOOLS: ReadonlySet<string> = new Set(['task', 'agent', 'spawn_agent', 'delegate']);

/** Whether the result is another agent's answer, and therefore Markdown. */
export function asksAgent(tool: string): boolean {
  return AGENT_TOOLS.has(tool.toLowerCase());
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The most telling argument, on one line. */
export function briefOf(args: string): string {
  const text = TELLING.map((name) => argumentOf(args, name)).find((value) => value !== undefined);
  return (text ?? args).replace(/\s+/g, ' ').slice(0, 200);
}

/** The file a call is about, and the line it starts reading at. */
export function placeOf(
  args: string,
): { readonly path: string; readonly line: number | undefined } | undefined {
  const path = PATHS.map((name) => argumentOf(args, name)).find((value) => value !== undefined);
  // A folder or a pattern is not a file.
  if (path === undefined || !/\.\w{1,8}$|\/\w+file$/i.test(path)) return patchedFile(args);
  return { path, line: Number(argumentOf(args, 'offset')) || undefined };
}

function patchedFile(args: string) {
  const [, path] = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m.exec(args) ?? [];
  return path === undefined ? undefined : { path: path.trim(), line: undefined };
}

/** An argument by name, as text. */
function argumentOf(args: string, name: string): string | undefined {
  const value = parsed(args)?.[name];
  if (value === undefined) return unescapedArgument(args, name);
  return Array.isArray(value) ? value.join(' ') : typeof value === 'object' ? undefined : String(value);
}

/** Indexed arguments are unescaped and may be truncated, so they are not valid JSON: a value ends where the next one begins. */
function unescapedArgument(args: string, name: string): string | undefined {
  const start = new RegExp(`[{,]\\s*"${name}"\\s*:\\s*`).exec(args);
  if (start === null) return undefined;
  const rest = args.slice(start.index + start[0].length);
  const [, text, plain] =
    /^(?:"([\s\S]*?)(?:"\s*,\s*"\w+"\s*:|"\s*\}\s*$|…\[\+\d+ bytes\]$|$)|([\w.-]+))/.exec(rest) ?? [];
  return text ?? plain;
}

/** An edit as a unified diff without line numbers; undefined for other calls. */
export function diffOfCall(args: string): string | undefined {
  if (args.startsWith('*** Begin Patch')) return args;
  const values = parsed(args);
  if (values === undefined) return undefined;
  const patch = values.input ?? values.patch;
  if (typeof patch === 'string' && patch.includes('***')) return patch;
  const edits = Array.isArray(values.edits) ? values.edits : [values];
  const parts = edits.flatMap((edit) => {
    const { old_string: before, new_string: after, content } = { ...edit };
    if (typeof before === 'string' && typeof after === 'string') return [lineDiff(before, after)];
    return typeof content === 'string' ? [lineDiff('', content)] : [];
  });
  return parts.length === 0 ? undefined : parts.join('\n @@\n');
}
