import type { SourceTree } from '../files/source-tree.ts';

/** Up to this many files are cut along syntax at once; more wait for a second pass after the first answer. */
export const SYNTAX_AT_ONCE = 100;
/** Larger trees stay cut by structure, because the grammars read only some megabytes per second. */
const SYNTAX_BYTES = 100_000_000;
/** Up to this many files of small segments are cut along syntax even where the rest of the tree is not. */
export const SYNTAX_WHEN_MERGED = 1000;

/** Whether the grammars can read the whole tree in a reasonable time. */
export function suitsGrammars({ files }: SourceTree): boolean {
  let bytes = 0;
  for (let number = 0; number < files.paths.length && bytes <= SYNTAX_BYTES; number++)
    if (files.isShown(number)) bytes += files.sizeAt(number);
  return bytes <= SYNTAX_BYTES;
}
