import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import type { RowTest } from '../filter/compile-filter.ts';
import { FLAG, isDir } from '../scan/node-kinds.ts';
import { capped } from '../sizes.ts';
import { diskOf, folderAt, parentFolder } from '../tree/tree-nodes.ts';
import { furtherNames, matchingRows, type Scope } from './row-scope.ts';

/** The totals of the files that pass a filter, per folder. */
export interface FilteredTotals {
  /** Whether a file passes, or a folder contains one that passes. */
  readonly has: RowTest;
  /** Files that pass but are another name of one that already counts. */
  readonly further: ReadonlySet<number>;
  /** All other files that pass, in row order. */
  readonly counted: Uint32Array;
  /** By folder number: the totals of everything below it. */
  readonly size: Float64Array;
  readonly disk: Float64Array;
  readonly files: Uint32Array;
}

/** Adds up what passes the filter in one pass over the rows and one over the folders. Folders themselves do not count. */
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
    const bits = uint8At(kind, row);
    if (isDir(bits)) continue;
    const folder = uint32At(parent, row);
    files[folder] = uint32At(files, folder) + 1;
    if ((bits & FLAG.linked) !== 0 && further.has(row)) continue;
    // Rows are written at or before the position they are read from.
    found[count++] = row;
    sizes[folder] = float64At(sizes, folder) + float64At(size, row);
    disks[folder] = float64At(disks, folder) + diskOf(tree, row);
  }
  // Folders are in preorder: from the last to the first, each is complete when it is added to its parent.
  for (let folder = dirRow.length - 1; folder >= 0; folder--) {
    const up = parentFolder(tree, folder);
    if (files[folder] === 0) continue;
    const bytes = capped(float64At(sizes, folder));
    const disk = capped(float64At(disks, folder));
    sizes[folder] = bytes;
    disks[folder] = disk;
    if (folder === 0) break;
    sizes[up] = float64At(sizes, up) + bytes;
    disks[up] = float64At(disks, up) + disk;
    files[up] = uint32At(files, up) + uint32At(files, folder);
  }
  const has = (row: number) =>
    isDir(uint8At(kind, row)) ? uint32At(files, folderAt(tree, row)) > 0 : test(row);
  return { has, further, counted: found.subarray(0, count), size: sizes, disk: disks, files };
}
