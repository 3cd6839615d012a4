import { FLAG, isDir } from '../scan/node-kinds.ts';
import { diskOf } from '../tree/tree-nodes.ts';
import { furtherNames, inPieces, type Scope } from './report-scope.ts';
import { Top } from './top-rows.ts';

export type By = 'size' | 'disk_size';

/** The largest files of a scope, best first; a file with several names once. */
export async function largest(scope: Scope, by: By, most: number): Promise<{ row: number; value: number }[]> {
  const { tree, test } = scope;
  const { kind, size } = tree;
  const further = furtherNames(scope);
  const top = new Top(most);
  await inPieces(scope, (from, to) => {
    for (let row = from; row <= to; row++) {
      const bits = kind[row] ?? 0;
      if (isDir(bits) || ((bits & FLAG.linked) !== 0 && further.has(row))) continue;
      const value = by === 'size' ? (size[row] ?? 0) : diskOf(tree, row);
      if (value > 0 && (test === undefined || test(row))) top.add(value, row);
    }
  });
  return top.sorted();
}
