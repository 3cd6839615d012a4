import { readWhole } from '../../contract/open-file.ts';
import { MAX_FILE_BYTES, textOf } from '../files/file-content.ts';
import type { SourceFile } from '../files/source-tree.ts';
import { fileAt } from '../files/unfiltered-files.ts';
import type { SearchTarget } from './search-target.ts';

/** A file that the caller named, and that a search of its folder would leave out. */
export interface NamedFile {
  readonly file: SourceFile;
  /** The offset of its first NUL byte; absent for text. */
  readonly nul: number | undefined;
}

/**
 * The file at `below` if a rule hides it, or its content is left out elsewhere: a caller who names a file means it,
 * whatever the rules for searching folders say.
 */
export function namedFile(
  { tree, index }: Pick<SearchTarget, 'tree' | 'index'>,
  below: string,
): NamedFile | undefined {
  if (below === '') return undefined;
  const known = tree.files.get(below);
  if (known !== undefined && !index.isPending(below) && index.skipOf(below) === undefined) return undefined;
  const file = known ?? fileAt(tree.root, below);
  return file === undefined ? undefined : { file, nul: firstNul(`${tree.root}/${below}`, file.size) };
}

function firstNul(path: string, size: number): number | undefined {
  // A file that is larger than any text is not read for this.
  if (size > MAX_FILE_BYTES) return undefined;
  try {
    const { bytes, offset } = textOf(readWhole(path, 'exact', MAX_FILE_BYTES));
    const at = bytes.indexOf(0);
    return at === -1 ? undefined : at + offset;
  } catch {
    return undefined;
  }
}
