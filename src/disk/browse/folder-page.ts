import type { FilteredTotals } from '../reports/filtered-totals.ts';
import { totalSize } from '../reports/node-rows.ts';
import { FLAG, isDir, kindName } from '../scan/node-kinds.ts';
import { capped, sumSizes } from '../sizes.ts';
import type { Tree } from '../tree/disk-tree.ts';
import { childRows, folderAt, nameOf, subFolders } from '../tree/tree-nodes.ts';
import { compareKeys, type Kind, type LiveEntry, sortKey } from './read-folder.ts';
import type { Sort } from './shells.ts';

/** An entry of a folder, from the disk or from an index. Folders that no index knows have no size. */
export interface Item {
  readonly name: string;
  readonly kind: Kind;
  readonly size: number | undefined;
  readonly modified: number;
  /** Row in the index, where it knows the entry. */
  readonly row: number | undefined;
}

export type Key = readonly [number, string];

/** The next entries of a folder in order, and what is before and after them. */
export interface FolderPage {
  /** At most one more than asked for, which tells that there are more. */
  readonly items: readonly Item[];
  readonly entries: number;
  /** Entries that were on earlier pages, and all others. */
  readonly before: Part;
  readonly left: Part;
}

export interface Part {
  readonly entries: number;
  readonly size: number;
  /** How many of the entries have no known size: folders that are in no index. */
  readonly unsized?: number | undefined;
}

export function itemKey(item: Item, sort: Sort): Key {
  return sortKey({ ...item, kind: item.size === undefined ? 'dir' : 'file', size: item.size ?? 0 }, sort);
}

/** A page of entries that were read from the disk; totals of known folders come from the index. */
export function livePage(
  entries: readonly LiveEntry[],
  known: { readonly tree: Tree; readonly folder: number } | undefined,
  sort: Sort,
  after: Key | undefined,
): FolderPage {
  const rows =
    known &&
    new Map(Array.from(childRows(known.tree, known.folder), (row) => [nameOf(known.tree, row), row]));
  const items = entries.map((entry): Item => {
    const row = rows?.get(entry.name);
    const fits = row !== undefined && known && kindName(known.tree.kind[row] ?? 0) === entry.kind;
    const size = entry.kind !== 'dir' ? entry.size : fits ? totalSize(known.tree, row) : undefined;
    return {
      name: entry.name,
      kind: entry.kind,
      size,
      modified: entry.modified,
      row: fits ? row : undefined,
    };
  });
  const sorted = items
    .map((item) => ({ item, key: itemKey(item, sort) }))
    .sort((a, b) => compareKeys(a.key, b.key));
  const start = after === undefined ? 0 : sorted.findIndex(({ key }) => compareKeys(key, after) > 0);
  const cut = start < 0 ? sorted.length : start;
  const part = (from: number, to: number): Part => ({
    entries: to - from,
    size: sumSizes(sorted.slice(from, to), ({ item }) => item.size ?? 0),
    unsized: sorted.slice(from, to).filter(({ item }) => item.size === undefined).length,
  });
  return {
    items: sorted.slice(cut).map(({ item }) => item),
    entries: sorted.length,
    before: part(0, cut),
    left: part(cut, sorted.length),
  };
}

/**
 * A page of entries from the index alone: one pass over the folder, no sorting of what is not shown. With filtered
 * totals only what passes is there, and folders are as large as that.
 */
export function indexedPage(
  tree: Tree,
  folder: number,
  sort: Sort,
  after: Key | undefined,
  limit: number,
  filtered?: FilteredTotals,
): FolderPage {
  const value = sortValue(tree, sort);
  const best: { row: number; value: number }[] = [];
  const before = { entries: 0, size: 0 };
  const left = { entries: 0, size: 0 };
  let worst = Number.POSITIVE_INFINITY;
  const consider = (row: number, size: number) => {
    const own = value(row, size);
    const earlier = after !== undefined && !isAfter(tree, row, own, after);
    const part = earlier ? before : left;
    part.entries++;
    part.size += size;
    // Most rows of a long folder end here.
    if (earlier || (best.length > limit && own > worst)) return;
    const candidate = { row, value: own };
    let at = best.length;
    while (at > 0 && comesFirst(tree, candidate, best[at - 1] ?? candidate)) at--;
    best.splice(at, 0, candidate);
    if (best.length > limit + 1) best.pop();
    worst = best.at(-1)?.value ?? worst;
  };
  const row = tree.dirRow[folder] ?? 0;
  const files = tree.dirFiles[folder] ?? 0;
  for (let i = row + 1; i <= row + files; i++) {
    if (filtered === undefined || filtered.has(i)) consider(i, tree.size[i] ?? 0);
  }
  for (const sub of subFolders(tree, folder)) {
    if (filtered === undefined || (filtered.files[sub] ?? 0) > 0)
      consider(tree.dirRow[sub] ?? 0, (filtered?.size ?? tree.dirSize)[sub] ?? 0);
  }
  return {
    items: best.map(({ row }) => indexedItem(tree, row, filtered)),
    entries: before.entries + left.entries,
    before: { ...before, size: capped(before.size) },
    left: { ...left, size: capped(left.size) },
  };
}

function indexedItem(tree: Tree, row: number, filtered: FilteredTotals | undefined): Item {
  const folder = filtered === undefined ? -1 : folderAt(tree, row);
  return {
    name: nameOf(tree, row),
    kind: kindName(tree.kind[row] ?? 0),
    size: folder < 0 ? totalSize(tree, row) : filtered?.size[folder],
    modified: (tree.mtime[row] ?? 0) * 1000,
    row,
  };
}

/** Files and folders below a row; undefined for what is no folder. At a depth limit folders are not counted. */
export function countsBelow(
  tree: Tree,
  row: number,
): { files: number; dirs?: number | undefined } | undefined {
  const kind = tree.kind[row] ?? 0;
  if (!isDir(kind)) return undefined;
  const folder = folderAt(tree, row);
  const cut = (kind & FLAG.tooDeep) !== 0;
  return { files: tree.dirAllFiles[folder] ?? 0, dirs: cut ? undefined : (tree.dirDirs[folder] ?? 0) };
}

/** What rows are ordered by, in the sense of {@link sortKey}: the least first. */
function sortValue(tree: Tree, sort: Sort): (row: number, size: number) => number {
  if (sort === 'name') return () => 0;
  if (sort === 'modified') return (row) => -(tree.mtime[row] ?? 0) * 1000;
  return (_row, size) => -size;
}

/** Names are looked at only where the value alone does not decide. */
function isAfter(tree: Tree, row: number, value: number, after: Key): boolean {
  if (value !== after[0]) return value > after[0];
  return compareKeys([value, nameOf(tree, row)], after) > 0;
}

function comesFirst(
  tree: Tree,
  a: { row: number; value: number },
  b: { row: number; value: number },
): boolean {
  if (a.value !== b.value) return a.value < b.value;
  return compareKeys([0, nameOf(tree, a.row)], [0, nameOf(tree, b.row)]) < 0;
}
