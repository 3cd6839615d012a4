/** A file that a shell command writes, with the text that the command itself contains. */
export interface ShellWrite {
  readonly path: string;
  /** What it adds and removes, as the lines of a diff. */
  readonly diff: string;
}

const HEREDOC = /<<-?\s*(['"]?)([A-Za-z_]\w*)\1/;
const TARGET = /(?:\d?>>?|\btee(?:\s+-a)?)\s*(['"]?)([^\s'"<>|;&()]+)\1/;
const PATCHES = /\bgit\s+apply\b|\bpatch\b/;

/**
 * Files that a command writes from its own text: `cat > FILE <<'EOF'`, `tee FILE <<EOF`, and unified diffs for
 * `git apply`. What `sed -i` or a program writes is not in the command, so it is unknown.
 */
export function shellWrites(command: string): readonly ShellWrite[] {
  const lines = command.split('\n');
  const found: ShellWrite[] = [];
  for (let at = 0; at < lines.length; at++) {
    const head = lines[at] ?? '';
    const [, , end] = HEREDOC.exec(head) ?? [];
    if (end === undefined) continue;
    const last = lines.findIndex((line, index) => index > at && line.trim() === end);
    // A here-document without an end was cut off.
    if (last < 0) return found;
    const body = lines.slice(at + 1, last);
    const [, , path] = TARGET.exec(head.replace(HEREDOC, ' ')) ?? [];
    if (PATCHES.test(head)) found.push(...patchedFiles(body));
    else if (path !== undefined && !path.startsWith('/dev/') && !path.includes('$'))
      found.push({ path, diff: body.map((line) => `+${line}`).join('\n') });
    at = last;
  }
  return found;
}

/** The files of a unified diff. */
function patchedFiles(lines: readonly string[]): readonly ShellWrite[] {
  const files: { path: string; lines: string[] }[] = [];
  for (const line of lines) {
    const [, path] = /^\+\+\+ (?:b\/)?(\S+)/.exec(line) ?? [];
    if (path !== undefined) files.push({ path, lines: [] });
    else if (/^[+-](?!-- )/.test(line)) files.at(-1)?.lines.push(line);
  }
  return files.flatMap(({ path, lines: changed }) =>
    path === '/dev/null' || changed.length === 0 ? [] : [{ path, diff: changed.join('\n') }],
  );
}
