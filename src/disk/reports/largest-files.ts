import { FLAG, isDir } from '../scan/node-kinds.ts';
import { diskOf } from '../tree/tree-nodes.ts';
import { furtherNames, inPieces, type Scope } from './row-scope.ts';
import { TopRows } from './top-rows.ts';

export type SizeKind = 'size' | 'disk_size';
/** What the files of a list are sorted by. */
export type FileOrder = SizeKind | 'age';

/** Later than every time of a file, in seconds since 1970. */
const LATEST = 2 ** 40;

/** The largest or oldest files of a scope, those first; a file with several names counts once. */
export async function largestFiles(
  scope: Scope,
  by: FileOrder,
  limit: number,
): Promise<{ row: number; value: number }[]> {
  const { tree, test } = scope;
  const { kind, size, mtime } = tree;
  const orderOf = (row: number) =>
    by === 'age' ? LATEST - (mtime[row] ?? 0) : by === 'size' ? (size[row] ?? 0) : diskOf(tree, row);
  const further = furtherNames(scope);
  const top = new TopRows(limit);
  await inPieces(scope, (from, to) => {
    for (let row = from; row <= to; row++) {
      const bits = kind[row] ?? 0;
      if (isDir(bits) || ((bits & FLAG.linked) !== 0 && further.has(row))) continue;
      const value = orderOf(row);
      if (value > 0 && (test === undefined || test(row))) top.add(value, row);
    }
  });
  return top.sorted();
}
