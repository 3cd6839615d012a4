const EDIT_TOOLS = new Set([
  'edit',
  'multiedit',
  'write',
  'apply_patch',
  'replace',
  'write_file',
  'notebookedit',
]);
const TELLING = ['command', 'cmd', 'pattern', 'query', 'file_path', 'path', 'url', 'description', 'prompt'];

export function isEdit(tool: string): boolean {
  return EDIT_TOOLS.has(tool.toLowerCase());
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The most telling argument, in one line. */
export function briefOf(args: string): string {
  const values = parsed(args);
  const named = TELLING.map((name) => values?.[name]).find((value) => value !== undefined);
  const text =
    named === undefined ? beginningOf(args) : Array.isArray(named) ? named.join(' ') : String(named);
  return text.replace(/\s+/g, ' ').slice(0, 200);
}

/** Indexed arguments have no escapes and may be cut, so they are not valid JSON; this takes their first value. */
function beginningOf(args: string): string {
  const [, value] =
    /^\s*\{\s*"(?:command|cmd|file_path|path|pattern|query)"\s*:\s*"([\s\S]*?)(?:"\s*,\s*"\w+"\s*:|"\s*\}\s*$|…\[\+\d+ bytes\]$|$)/.exec(
      args,
    ) ?? [];
  return value ?? args.slice(0, 200);
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

/** Lines that both sides share at the ends stay; those between are removed and added. */
export function lineDiff(before: string, after: string): string {
  const old = before === '' ? [] : before.split('\n');
  const now = after === '' ? [] : after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  return [
    ...old.slice(0, start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...now.slice(start, now.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end).map((line) => ` ${line}`),
  ].join('\n');
}
