import { pathOnDisk } from '../../contract/file-name.ts';
import { readWhole } from '../../contract/open-file.ts';
import { MAX_FILE_BYTES } from '../files/file-content.ts';
import { parseMessage, type RipgrepMessage } from './ripgrep-files.ts';
import { ripgrepOutput } from './ripgrep-process.ts';

/*
 * A program can only be started with arguments that are text. A file whose name is not UTF-8 is therefore given to
 * ripgrep as its input, one run per file.
 */

const NEWLINE = 10;

/** Paths by whether ripgrep can be given them as arguments. */
export function byName(
  root: string,
  paths: Iterable<string>,
): { readonly nameable: readonly string[]; readonly unnameable: readonly string[] } {
  const nameable: string[] = [];
  const unnameable: string[] = [];
  for (const path of paths) (isNameable(root, path) ? nameable : unnameable).push(path);
  return { nameable, unnameable };
}

/** Whether ripgrep can be given the path as an argument. */
export function isNameable(root: string, path: string): boolean {
  return typeof pathOnDisk(`${root}/${path}`) === 'string';
}

/** ripgrep's `--json` messages about one file that it reads as input, under the file's own path. */
export async function* messagesAbout(
  { root, signal }: { readonly root: string; readonly signal: AbortSignal },
  path: string,
  args: readonly string[],
): AsyncGenerator<RipgrepMessage> {
  let content: Buffer;
  try {
    content = readWhole(`${root}/${path}`, 'exact', MAX_FILE_BYTES);
  } catch {
    // Deleted, or too large for a buffer.
    return;
  }
  for await (const piece of ripgrepOutput([...args, '--json', '-'], root, signal, content)) {
    for (let from = 0, end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
      const { type, data } = parseMessage(piece.toString('utf8', from, end));
      from = end + 1;
      yield { type, data: { ...data, path: { text: `./${path}` } } };
    }
  }
}
