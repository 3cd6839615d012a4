import { float64At, int32At, uint8At, uint32At } from '../../contract/at.ts';
import { capped } from '../sizes.ts';
import type { Tree } from './tree-columns.ts';
import { diskOf, folderAt, lastRow, lowerBound } from './tree-nodes.ts';

/** A node with everything below it, as first and last row. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface SelectionTotal {
  readonly files: number;
  readonly dirs: number;
  readonly size: number;
  readonly disk_size: number;
  /** What deleting all of it would free: a file that keeps a name elsewhere frees nothing. */
  readonly freed: number;
}

/** Rows of ids; -1 for those that are not in the tree. */
export function rowsOfIds(tree: Tree, ids: Iterable<number>): number[] {
  const list = Uint32Array.from(ids);
  if (list.length < 20) return Array.from(list, (id) => tree.id.indexOf(id));
  // One bit per wanted id, so that most of a million rows are skipped after one look.
  const { nextId } = tree.meta;
  const wanted = new Uint8Array((nextId >> 3) + 1);
  for (const id of list) if (id < nextId) wanted[id >> 3] = uint8At(wanted, id >> 3) | (1 << (id & 7));
  const sorted = list.slice().sort();
  const rows = new Int32Array(sorted.length).fill(-1);
  for (let row = 0; row < tree.id.length; row++) {
    const id = uint32At(tree.id, row);
    if ((uint8At(wanted, id >> 3) & (1 << (id & 7))) !== 0) rows[lowerBound(sorted, id, sorted.length)] = row;
  }
  return Array.from(list, (id) => int32At(rows, lowerBound(sorted, id, sorted.length)));
}

/** Spans of rows in ascending order, without those inside another. */
export function spansOf(tree: Tree, rows: Iterable<number>): Span[] {
  const spans: Span[] = [];
  // Missing rows (-1) and repeated rows are at or before the end of the last span.
  let end = -1;
  for (const row of Int32Array.from(rows).sort()) {
    if (row <= end) continue;
    end = lastRow(tree, row);
    spans.push({ from: row, to: end });
  }
  return spans;
}

/** Adds up a selection. A node that is selected twice, or has several names, counts once. */
export function selectionTotal(tree: Tree, spans: readonly Span[]): SelectionTotal {
  let files = 0;
  let dirs = 0;
  let size = 0;
  let disk = 0;
  for (const { from } of spans) {
    const folder = folderAt(tree, from);
    files += folder < 0 ? 1 : uint32At(tree.dirAllFiles, folder);
    dirs += folder < 0 ? 0 : uint32At(tree.dirDirs, folder) + 1;
    size += folder < 0 ? float64At(tree.size, from) : float64At(tree.dirSize, folder);
    disk += folder < 0 ? diskOf(tree, from) : float64At(tree.dirDisk, folder);
  }
  let freed = disk;
  for (const { row, spansHolding, names, count } of linksIn(tree, spans)) {
    size -= (spansHolding - 1) * float64At(tree.size, row);
    disk -= (spansHolding - 1) * diskOf(tree, row);
    freed -= (spansHolding - 1) * diskOf(tree, row);
    if (names < count) freed -= diskOf(tree, row);
  }
  return { files, dirs, size: capped(size), disk_size: capped(disk), freed: capped(freed) };
}

/** How many bytes of a span stay on the disk after all spans are deleted: files that have a name elsewhere. */
export function bytesThatStay(tree: Tree, spans: readonly Span[]): (span: Span) => number {
  const kept = new Set<number>();
  for (const { key, names, count } of linksIn(tree, spans)) if (names < count) kept.add(key);
  return ({ from, to }) => {
    const seen = new Set<number>();
    let bytes = 0;
    for (let i = lowerBound(tree.linkRow, from, tree.linkRow.length); i < tree.linkRow.length; i++) {
      const row = uint32At(tree.linkRow, i);
      if (row > to) break;
      const key = float64At(tree.linkKey, i);
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
  /** Spans with a name of the file, its names in all spans, and its names as the system counts them. */
  spansHolding: number;
  names: number;
  count: number;
  lastSpan: number;
}

/** Files with several names, at least one of them in the spans. */
function linksIn(tree: Tree, spans: readonly Span[]): Iterable<SharedFile> {
  const shared = new Map<number, SharedFile>();
  let at = 0;
  for (let i = 0; i < tree.linkRow.length; i++) {
    const row = uint32At(tree.linkRow, i);
    let span = spans[at];
    while (span !== undefined && span.to < row) span = spans[++at];
    if (span === undefined) break;
    if (row < span.from) continue;
    const key = float64At(tree.linkKey, i);
    const known = shared.get(key);
    if (known === undefined) {
      shared.set(key, {
        key,
        row,
        spansHolding: 1,
        names: 1,
        count: uint32At(tree.linkCount, i),
        lastSpan: at,
      });
    } else {
      known.names++;
      if (known.lastSpan !== at) known.spansHolding++;
      known.lastSpan = at;
    }
  }
  return shared.values();
}
