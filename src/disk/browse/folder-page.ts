import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import type { FilteredTotals } from '../reports/filtered-totals.ts';
import { totalSize } from '../reports/node-rows.ts';
import { FLAG, isDir, kindName } from '../scan/node-kinds.ts';
import { capped, sumSizes } from '../sizes.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { childRows, folderAt, nameOf, subFolders } from '../tree/tree-nodes.ts';
import { compareKeys, type Kind, type LiveEntry, sortKey } from './read-folder.ts';
import type { Sort } from './shells.ts';

/** An entry of a folder, from the disk or from an index. A folder that is in no index has no size. */
export interface Item {
  readonly name: string;
  readonly kind: Kind;
  readonly size: number | undefined;
  readonly modified: number;
  /** Row in the index, if the index has the entry. */
  readonly row: number | undefined;
}

export type Key = readonly [number, string];

/** The next entries of a folder in order, with totals of those before and after them. */
export interface FolderPage {
  /** At most one more than the limit; the extra one says that there are more. */
  readonly items: readonly Item[];
  readonly entries: number;
  /** Totals of the entries on earlier pages, and of all others. */
  readonly before: Part;
  readonly left: Part;
}

export interface Part {
  readonly entries: number;
  readonly size: number;
  /** How many of the entries have no known size, because they are folders in no index. */
  readonly unsized?: number | undefined;
}

export function itemKey(item: Item, sort: Sort, tree?: Tree): Key {
  if (sort === 'entries')
    return [tree === undefined || item.row === undefined ? 0 : -directEntries(tree, item.row), item.name];
  return sortKey({ ...item, kind: item.size === undefined ? 'dir' : 'file', size: item.size ?? 0 }, sort);
}

/** A page of entries read from the disk; the totals of folders come from the index, if there is one. */
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
    const fits = row !== undefined && known && kindName(uint8At(known.tree.kind, row)) === entry.kind;
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
    .map((item) => ({ item, key: itemKey(item, sort, known?.tree) }))
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
 * A page of entries from the index alone, in one pass over the folder, without sorting what is not shown. With
 * filtered totals it has only the entries that pass, and folders have the size of what passes.
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
  const best: Candidate[] = [];
  const before = { entries: 0, size: 0 };
  const left = { entries: 0, size: 0 };
  let worst = Number.POSITIVE_INFINITY;
  const consider = (row: number, size: number) => {
    const own = value(row, size);
    const earlier = after !== undefined && !isAfter(tree, row, own, after);
    const part = earlier ? before : left;
    part.entries++;
    part.size += size;
    // Most rows of a long folder are done here.
    if (earlier || (best.length > limit && own > worst)) return;
    const candidate = { row, value: own };
    const place = best.findLastIndex((better) => !comesFirst(tree, candidate, better)) + 1;
    best.splice(place, 0, candidate);
    if (best.length > limit + 1) best.pop();
    worst = best.at(-1)?.value ?? worst;
  };
  const row = uint32At(tree.dirRow, folder);
  const files = uint32At(tree.dirFiles, folder);
  for (let i = row + 1; i <= row + files; i++) {
    if (filtered === undefined || filtered.has(i)) consider(i, float64At(tree.size, i));
  }
  for (const sub of subFolders(tree, folder)) {
    if (filtered === undefined || uint32At(filtered.files, sub) > 0)
      consider(uint32At(tree.dirRow, sub), float64At(filtered?.size ?? tree.dirSize, sub));
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
    kind: kindName(uint8At(tree.kind, row)),
    size: folder < 0 ? totalSize(tree, row) : filtered?.size[folder],
    modified: uint32At(tree.mtime, row) * 1000,
    row,
  };
}

/** Files and folders below a folder; undefined for a file. Folders below a depth limit are not counted. */
export function countsBelow(
  tree: Tree,
  row: number,
): { files: number; dirs?: number | undefined } | undefined {
  const kind = uint8At(tree.kind, row);
  if (!isDir(kind)) return undefined;
  const folder = folderAt(tree, row);
  const cut = (kind & FLAG.tooDeep) !== 0;
  return {
    files: uint32At(tree.dirAllFiles, folder),
    dirs: cut ? undefined : uint32At(tree.dirDirs, folder),
  };
}

/** How many entries are directly in a folder; -1 for anything that is not a folder. */
export function directEntries(tree: Tree, row: number): number {
  const folder = folderAt(tree, row);
  if (folder < 0) return -1;
  let entries = uint32At(tree.dirFiles, folder);
  for (const _ of subFolders(tree, folder)) entries++;
  return entries;
}

/** What rows are ordered by, lowest first, as {@link sortKey} does. */
function sortValue(tree: Tree, sort: Sort): (row: number, size: number) => number {
  if (sort === 'name') return () => 0;
  if (sort === 'modified') return (row) => -uint32At(tree.mtime, row) * 1000;
  if (sort === 'entries') return (row) => -directEntries(tree, row);
  return (_row, size) => -size;
}

/** Compares names only where the values are equal. */
function isAfter(tree: Tree, row: number, value: number, after: Key): boolean {
  if (value !== after[0]) return value > after[0];
  return compareKeys([value, nameOf(tree, row)], after) > 0;
}

interface Candidate {
  readonly row: number;
  readonly value: number;
}

function comesFirst(tree: Tree, a: Candidate, b: Candidate): boolean {
  if (a.value !== b.value) return a.value < b.value;
  return compareKeys([0, nameOf(tree, a.row)], [0, nameOf(tree, b.row)]) < 0;
}
