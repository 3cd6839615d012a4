import type { Tree } from '../tree/disk-tree.ts';
import { lowerBound } from '../tree/tree-nodes.ts';
import { FLAG } from './node-kinds.ts';
import type { Stage } from './scan-stage.ts';

/* Files with several names: a change through one name is told in the folder of that name alone. */

/** How many names a file has by the index. */
export function linkCountOf(tree: Tree, row: number): number {
  if (((tree.kind[row] ?? 0) & FLAG.linked) === 0) return 1;
  return tree.linkCount[lowerBound(tree.linkRow, row, tree.linkRow.length)] ?? 1;
}

const outside = new WeakMap<SharedArrayBuffer, ReadonlySet<number>>();

/** Rows of files of which not all names lie in the index. */
export function linkedOutside(tree: Tree): ReadonlySet<number> {
  const known = outside.get(tree.buffer);
  if (known !== undefined) return known;
  const names = new Map<number, number>();
  for (const key of tree.linkKey) names.set(key, (names.get(key) ?? 0) + 1);
  const rows = new Set<number>();
  for (const [i, row] of tree.linkRow.entries()) {
    if ((names.get(tree.linkKey[i] ?? 0) ?? 0) < (tree.linkCount[i] ?? 0)) rows.add(row);
  }
  outside.set(tree.buffer, rows);
  return rows;
}

/** Rows of the other names of files that have one in these folders. */
export function otherNames(tree: Tree, folders: { has(folder: number): boolean }): number[] {
  const inside = (i: number) => folders.has(tree.parent[tree.linkRow[i] ?? 0] ?? 0);
  const keys = new Set<number>();
  for (const [i, key] of tree.linkKey.entries()) if (inside(i)) keys.add(key);
  if (keys.size === 0) return [];
  return [...tree.linkRow].filter((_row, i) => keys.has(tree.linkKey[i] ?? 0) && !inside(i));
}

/** Folders that were not read but hold a file which, as was read elsewhere, has more or fewer names now. */
export function relinked(
  tree: Tree,
  stages: readonly Stage[],
  read: { has(folder: number): boolean },
): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const { view } of stages.flatMap(({ chunks }) => chunks)) {
    for (const [i, ino] of view.linkIno.entries()) counts.set(ino % 2 ** 32, view.linkCount[i] ?? 0);
  }
  const folders = new Set<number>();
  if (counts.size === 0) return folders;
  for (let row = 0; row < tree.ino.length; row++) {
    const count = counts.get(tree.ino[row] ?? 0);
    if (count === undefined || count === linkCountOf(tree, row)) continue;
    const folder = tree.parent[row] ?? 0;
    if (!read.has(folder)) folders.add(folder);
  }
  return folders;
}
