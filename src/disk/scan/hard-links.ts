import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { lowerBound } from '../tree/tree-nodes.ts';
import { FLAG } from './node-kinds.ts';
import type { ScanStage } from './scan-stage.ts';

/* Files with several names: a change through one name is reported only for the folder of that name. */

/** How many names a file had at the scan. */
export function linkCountOf(tree: Tree, row: number): number {
  if ((uint8At(tree.kind, row) & FLAG.linked) === 0) return 1;
  return uint32At(tree.linkCount, lowerBound(tree.linkRow, row, tree.linkRow.length));
}

const outside = new WeakMap<SharedArrayBuffer, ReadonlySet<number>>();

/** Rows of files that also have a name outside the index. */
export function linkedOutside(tree: Tree): ReadonlySet<number> {
  const known = outside.get(tree.buffer);
  if (known !== undefined) return known;
  const names = new Map<number, number>();
  for (const key of tree.linkKey) names.set(key, (names.get(key) ?? 0) + 1);
  const rows = new Set<number>();
  for (const [i, row] of tree.linkRow.entries()) {
    if ((names.get(float64At(tree.linkKey, i)) ?? 0) < uint32At(tree.linkCount, i)) rows.add(row);
  }
  outside.set(tree.buffer, rows);
  return rows;
}

/** Rows outside these folders that are another name of a file inside them. */
export function otherNames(tree: Tree, folders: { has(folder: number): boolean }): number[] {
  const inside = (i: number) => folders.has(uint32At(tree.parent, uint32At(tree.linkRow, i)));
  const keys = new Set<number>();
  for (const [i, key] of tree.linkKey.entries()) if (inside(i)) keys.add(key);
  if (keys.size === 0) return [];
  return [...tree.linkRow].filter((_row, i) => keys.has(float64At(tree.linkKey, i)) && !inside(i));
}

/** Folders that were not read but contain a file that, as seen elsewhere, now has more or fewer names. */
export function relinked(
  tree: Tree,
  stages: readonly ScanStage[],
  read: { has(folder: number): boolean },
): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const { view } of stages.flatMap(({ chunks }) => chunks)) {
    for (const [i, ino] of view.linkIno.entries()) counts.set(ino % 2 ** 32, uint32At(view.linkCount, i));
  }
  const folders = new Set<number>();
  if (counts.size === 0) return folders;
  for (let row = 0; row < tree.ino.length; row++) {
    const count = counts.get(uint32At(tree.ino, row));
    if (count === undefined || count === linkCountOf(tree, row)) continue;
    const folder = uint32At(tree.parent, row);
    if (!read.has(folder)) folders.add(folder);
  }
  return folders;
}
