import { uint32At } from '../../contract/at.ts';
import type { Chunk } from '../scan/scan-stage.ts';
import type { Tree } from './tree-columns.ts';

/**
 * Finds, for entries of a chunk, the row with the same name among `rows` of a tree, or -1. A folder is mostly read in
 * the same order again, so the next row is tried first, and a map is made only when that fails.
 */
export function sameName(tree: Tree, rows: Uint32Array, chunk: Chunk): (at: number) => number {
  let next = 0;
  let byName: Map<string, number> | undefined;
  const { names } = chunk.view;
  const text = Buffer.from(names.buffer, names.byteOffset, names.length);
  return (at) => {
    const row = rows[next];
    if (row !== undefined && equal(tree, row, chunk, at)) {
      next++;
      return row;
    }
    byName ??= new Map(
      Array.from(rows, (each, i) => [
        tree.names.toString('latin1', tree.nameAt[each], tree.nameAt[each + 1]),
        i,
      ]),
    );
    const found = byName.get(text.toString('latin1', chunk.nameAt[at], chunk.nameAt[at + 1]));
    if (found === undefined) return -1;
    next = found + 1;
    return uint32At(rows, found);
  };
}

function equal(tree: Tree, row: number, chunk: Chunk, at: number): boolean {
  const start = uint32At(tree.nameAt, row);
  const length = uint32At(tree.nameAt, row + 1) - start;
  const other = uint32At(chunk.nameAt, at);
  if (uint32At(chunk.nameAt, at + 1) - other !== length) return false;
  for (let i = 0; i < length; i++) if (tree.names[start + i] !== chunk.view.names[other + i]) return false;
  return true;
}
