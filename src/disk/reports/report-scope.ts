import { setImmediate as breathe } from 'node:timers/promises';
import type { RowTest } from '../filter/compile-filter.ts';
import { FLAG } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/disk-tree.ts';
import { folderAt } from '../tree/tree-nodes.ts';

/** The part of a tree that a report is about. */
export interface Scope {
  readonly tree: Tree;
  /** First and last row. */
  readonly from: number;
  readonly to: number;
  readonly test: RowTest | undefined;
  /** The same as marks, where there are some: a look instead of a call for each row. */
  readonly marks?: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/** Everything below a row, the row itself included. */
export function scopeBelow(tree: Tree, row: number, test: RowTest | undefined, signal: AbortSignal): Scope {
  const folder = folderAt(tree, row);
  return { tree, from: row, to: folder < 0 ? row : (tree.dirLast[folder] ?? row), test, signal };
}

/** So many rows take a few milliseconds. */
export const ROWS_AT_ONCE = 100_000;

/** How long others wait at most, but for one piece. */
const TURN_MS = 6;

/** Calls `each` for pieces of the scope, and lets others run from time to time. */
export async function inPieces(scope: Scope, each: (from: number, to: number) => void): Promise<void> {
  let until = performance.now() + TURN_MS;
  for (let from = scope.from; from <= scope.to; from += ROWS_AT_ONCE) {
    scope.signal.throwIfAborted();
    each(from, Math.min(scope.to, from + ROWS_AT_ONCE - 1));
    if (from + ROWS_AT_ONCE > scope.to || performance.now() < until) continue;
    await breathe();
    until = performance.now() + TURN_MS;
  }
}

/** Filled and copied from without a pause, so that one is enough for all. */
const found = new Uint32Array(ROWS_AT_ONCE);

/** The rows of a scope that pass its test, in row order. */
export async function matchingRows(scope: Scope): Promise<Uint32Array> {
  const { test, marks } = scope;
  const pieces: Uint32Array[] = [];
  await inPieces(scope, (from, to) => {
    let count = 0;
    if (marks !== undefined) count = markedRows(marks, from, to);
    else for (let row = from; row <= to; row++) if (test === undefined || test(row)) found[count++] = row;
    pieces.push(found.slice(0, count));
  });
  const all = new Uint32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Writes the marked rows to `found` and returns how many; where none of four is marked, one look is enough. */
function markedRows(marks: Uint8Array, from: number, to: number): number {
  const fours = new Int32Array(marks.buffer, marks.byteOffset, marks.length >> 2);
  let count = 0;
  for (let row = from; row <= to; row++) {
    if ((row & 3) === 0) while (fours[row >> 2] === 0 && row + 4 <= to) row += 4;
    if (marks[row] === 1) found[count++] = row;
  }
  return count;
}

/** Rows of a scope that are a further name of a file which is counted already: by another row that passes. */
export function furtherNames({ tree, from, to, test }: Omit<Scope, 'signal'>): ReadonlySet<number> {
  const seen = new Set<number>();
  const further = new Set<number>();
  for (let i = 0; i < tree.linkRow.length; i++) {
    const row = tree.linkRow[i] ?? 0;
    if (row < from || row > to || ((tree.kind[row] ?? 0) & FLAG.linked) === 0) continue;
    if (test !== undefined && !test(row)) continue;
    const key = tree.linkKey[i] ?? 0;
    if (seen.has(key)) further.add(row);
    else seen.add(key);
  }
  return further;
}
