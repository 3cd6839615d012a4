import type { RowTest } from '../filter/compile-filter.ts';
import { FLAG, isDir } from '../scan/node-kinds.ts';
import { capped } from '../sizes.ts';
import { diskOf, folderAt } from '../tree/tree-nodes.ts';
import { furtherNames, matchingRows, type Scope } from './report-scope.ts';

/** What the files that pass a filter take, summed by folder: a tree of its own. */
export interface FilteredTotals {
  /** Whether a file passes, or a folder has one below it that does. */
  readonly has: RowTest;
  /** Files that pass but are a further name of one that is counted already. */
  readonly further: ReadonlySet<number>;
  /** All others that pass, in order. */
  readonly counted: Uint32Array;
  /** By number of the folder, everything below it. */
  readonly size: Float64Array;
  readonly disk: Float64Array;
  readonly files: Uint32Array;
}

/** Sums a scope by its filter in one pass over the rows and one over the folders. Folders themselves take nothing. */
export async function filteredTotals(scope: Scope): Promise<FilteredTotals> {
  const { tree, test = () => true } = scope;
  const { kind, parent, size, dirRow } = tree;
  const further = furtherNames(scope);
  const sizes = new Float64Array(dirRow.length);
  const disks = new Float64Array(dirRow.length);
  const files = new Uint32Array(dirRow.length);
  const found = await matchingRows(scope);
  let count = 0;
  for (const row of found) {
    const bits = kind[row] ?? 0;
    if (isDir(bits)) continue;
    const folder = parent[row] ?? 0;
    files[folder] = (files[folder] ?? 0) + 1;
    if ((bits & FLAG.linked) !== 0 && further.has(row)) continue;
    // What is kept lies at or before what was read.
    found[count++] = row;
    sizes[folder] = (sizes[folder] ?? 0) + (size[row] ?? 0);
    disks[folder] = (disks[folder] ?? 0) + diskOf(tree, row);
  }
  // Folders are in preorder: from the last to the first, each is complete when it is passed on.
  for (let folder = dirRow.length - 1; folder >= 0; folder--) {
    const up = parent[dirRow[folder] ?? 0] ?? 0;
    if ((files[folder] ?? 0) === 0) continue;
    const bytes = capped(sizes[folder] ?? 0);
    const disk = capped(disks[folder] ?? 0);
    sizes[folder] = bytes;
    disks[folder] = disk;
    if (folder === 0) break;
    sizes[up] = (sizes[up] ?? 0) + bytes;
    disks[up] = (disks[up] ?? 0) + disk;
    files[up] = (files[up] ?? 0) + (files[folder] ?? 0);
  }
  const has = (row: number) => (isDir(kind[row] ?? 0) ? (files[folderAt(tree, row)] ?? 0) > 0 : test(row));
  return { has, further, counted: found.subarray(0, count), size: sizes, disk: disks, files };
}
