import { posix } from 'node:path';
import { filled, type JsonObject } from './log-json.ts';
import { piecesOf, withoutStarters } from './shell-words.ts';
import type { ToolKind } from './tool-kinds.ts';

/** Programs that read or change the files they are given. */
const FILE_PROGRAMS =
  /^(?:cat|bat|head|tail|sed|awk|gawk|less|more|nl|wc|rg|grep|egrep|ag|jq|yq|diff|stat|file|xxd|od|sort|uniq|cut|tac|strings|gofmt|prettier|rm|touch|chmod|vim?|nano|code|python3?|node|tsx|bash|sh|ruby|perl|php)$/;
const PLAIN = /^[~\w@+./-]+$/;
const FILE_NAME = /^[\w@+-][\w@+.-]*\.[A-Za-z]\w{0,9}$/;

/** The file that a search or a command is about, absolute if known; undefined unless it is exactly one. */
export function fileOfCall(
  kind: ToolKind,
  args: JsonObject,
  command: string | undefined,
  cwd: string | undefined,
): string | undefined {
  const named =
    kind === 'search' || kind === 'read' ? (filled(args.path) ?? filled(args.file_path)) : undefined;
  if (named !== undefined) return isFile(named) ? absolute(named, cwd) : undefined;
  return command === undefined ? undefined : fileOfCommand(command, cwd);
}

function fileOfCommand(command: string, cwd: string | undefined): string | undefined {
  let folder = cwd;
  const found = new Set<string>();
  for (const { words: given } of piecesOf(command)) {
    const [program = '', ...words] = withoutStarters(given);
    if (program === 'cd') folder = words[0] === undefined ? undefined : absolute(words[0], folder);
    if (!FILE_PROGRAMS.test(program)) continue;
    for (const word of words) if (isFile(word)) found.add(absolute(word, folder));
  }
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

function isFile(word: string): boolean {
  return PLAIN.test(word) && !word.startsWith('-') && FILE_NAME.test(word.slice(word.lastIndexOf('/') + 1));
}

function absolute(path: string, folder: string | undefined): string {
  if (path.startsWith('/') || path.startsWith('~') || folder === undefined) return path;
  return posix.join(folder, path);
}
