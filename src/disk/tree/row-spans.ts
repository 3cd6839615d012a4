import { capped } from '../sizes.ts';
import type { Tree } from './disk-tree.ts';
import { diskOf, folderAt, lowerBound } from './tree-nodes.ts';

/** A node with everything below it: first and last row. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface SelectionTotal {
  readonly files: number;
  readonly dirs: number;
  readonly size: number;
  readonly disk_size: number;
  /** What removing all of it would free: files that keep a name elsewhere free nothing. */
  readonly freed: number;
}

/** Rows of ids; -1 for those that are not in the tree. */
export function rowsOfIds(tree: Tree, ids: Iterable<number>): number[] {
  const list = Uint32Array.from(ids);
  if (list.length < 20) return Array.from(list, (id) => tree.id.indexOf(id));
  // A bit for each id that is wanted: of a million rows, most are passed over with one look.
  const wanted = new Uint8Array((tree.meta.nextId >> 3) + 1);
  for (const id of list) wanted[id >> 3] = (wanted[id >> 3] ?? 0) | (1 << (id & 7));
  const sorted = list.slice().sort();
  const rows = new Int32Array(sorted.length).fill(-1);
  for (let row = 0; row < tree.id.length; row++) {
    const id = tree.id[row] ?? 0;
    if (((wanted[id >> 3] ?? 0) & (1 << (id & 7))) !== 0) rows[lowerBound(sorted, id, sorted.length)] = row;
  }
  return Array.from(list, (id) => rows[lowerBound(sorted, id, sorted.length)] ?? -1);
}

/** Spans of rows in ascending order, without those that lie inside another. */
export function spansOf(tree: Tree, rows: Iterable<number>): Span[] {
  const spans: Span[] = [];
  // What is not there, and what comes twice, lies at or before the end.
  let end = -1;
  for (const row of Int32Array.from(rows).sort()) {
    if (row <= end) continue;
    const folder = folderAt(tree, row);
    end = folder < 0 ? row : (tree.dirLast[folder] ?? row);
    spans.push({ from: row, to: end });
  }
  return spans;
}

/** Sums a selection; what is selected twice, or has several names, counts once. */
export function selectionTotal(tree: Tree, spans: readonly Span[]): SelectionTotal {
  let files = 0;
  let dirs = 0;
  let size = 0;
  let disk = 0;
  for (const { from } of spans) {
    const folder = folderAt(tree, from);
    files += folder < 0 ? 1 : (tree.dirAllFiles[folder] ?? 0);
    dirs += folder < 0 ? 0 : (tree.dirDirs[folder] ?? 0) + 1;
    size += folder < 0 ? (tree.size[from] ?? 0) : (tree.dirSize[folder] ?? 0);
    disk += folder < 0 ? diskOf(tree, from) : (tree.dirDisk[folder] ?? 0);
  }
  let freed = disk;
  for (const { row, spansHolding, names, count } of linksIn(tree, spans)) {
    size -= (spansHolding - 1) * (tree.size[row] ?? 0);
    disk -= (spansHolding - 1) * diskOf(tree, row);
    freed -= (spansHolding - 1) * diskOf(tree, row);
    if (names < count) freed -= diskOf(tree, row);
  }
  return { files, dirs, size: capped(size), disk_size: capped(disk), freed: capped(freed) };
}

/** Tells of each of these spans how many of its bytes stay when all of them go: files with a name elsewhere. */
export function staying(tree: Tree, spans: readonly Span[]): (span: Span) => number {
  const kept = new Set<number>();
  for (const { key, names, count } of linksIn(tree, spans)) if (names < count) kept.add(key);
  return ({ from, to }) => {
    const seen = new Set<number>();
    let bytes = 0;
    for (let i = lowerBound(tree.linkRow, from, tree.linkRow.length); i < tree.linkRow.length; i++) {
      const row = tree.linkRow[i] ?? 0;
      if (row > to) break;
      const key = tree.linkKey[i] ?? 0;
      if (!kept.has(key) || seen.has(key)) continue;
      seen.add(key);
      bytes += diskOf(tree, row);
    }
    return capped(bytes);
  };
}

interface SharedFile {
  readonly key: number;
  row: number;
  /** In how many spans it has a name, how many names there are in all spans, how many the system counts. */
  spansHolding: number;
  names: number;
  count: number;
  lastSpan: number;
}

/** Files with several names of which at least one lies in the spans. */
function linksIn(tree: Tree, spans: readonly Span[]): Iterable<SharedFile> {
  const shared = new Map<number, SharedFile>();
  let at = 0;
  for (let i = 0; i < tree.linkRow.length; i++) {
    const row = tree.linkRow[i] ?? 0;
    while (at < spans.length && (spans[at]?.to ?? 0) < row) at++;
    const span = spans[at];
    if (span === undefined) break;
    if (row < span.from) continue;
    const key = tree.linkKey[i] ?? 0;
    const known = shared.get(key);
    if (known === undefined) {
      shared.set(key, { key, row, spansHolding: 1, names: 1, count: tree.linkCount[i] ?? 1, lastSpan: at });
    } else {
      known.names++;
      if (known.lastSpan !== at) known.spansHolding++;
      known.lastSpan = at;
    }
  }
  return shared.values();
}
