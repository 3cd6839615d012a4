import { float64At, uint8At } from '../../contract/at.ts';
import { FLAG, isDir } from '../scan/node-kinds.ts';
import { diskOf } from '../tree/tree-nodes.ts';
import { furtherNames, inPieces, type Scope } from './row-scope.ts';
import { TopRows } from './top-rows.ts';

export type SizeKind = 'size' | 'disk_size';

/** The largest files of a scope, largest first; a file with several names counts once. */
export async function largestFiles(
  scope: Scope,
  by: SizeKind,
  limit: number,
): Promise<{ row: number; value: number }[]> {
  const { tree, test } = scope;
  const { kind, size } = tree;
  const further = furtherNames(scope);
  const top = new TopRows(limit);
  await inPieces(scope, (from, to) => {
    for (let row = from; row <= to; row++) {
      const bits = uint8At(kind, row);
      if (isDir(bits) || ((bits & FLAG.linked) !== 0 && further.has(row))) continue;
      const value = by === 'size' ? float64At(size, row) : diskOf(tree, row);
      if (value > 0 && (test === undefined || test(row))) top.add(value, row);
    }
  });
  return top.sorted();
}
