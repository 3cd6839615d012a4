import { setImmediate as nextTurn } from 'node:timers/promises';
import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import type { RowTest } from '../filter/compile-filter.ts';
import { FLAG } from '../scan/node-kinds.ts';
import { requireRows } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';

/** The part of a tree that a report is about. */
export interface Scope {
  readonly tree: Tree;
  /** First and last row. */
  readonly from: number;
  readonly to: number;
  readonly test: RowTest | undefined;
  /** The same test as marks, if there are some: faster than a call per row. */
  readonly marks?: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/** A few milliseconds of work. */
export const ROWS_PER_PIECE = 100_000;

/** How long other work waits, plus one piece. */
const SLICE_MS = 6;

/** Calls `each` for pieces of the scope, all of them in the tree, and lets other work run from time to time. */
export async function inPieces(scope: Scope, each: (from: number, to: number) => void): Promise<void> {
  requireRows(scope.tree, scope);
  let until = performance.now() + SLICE_MS;
  for (let from = scope.from; from <= scope.to; from += ROWS_PER_PIECE) {
    scope.signal.throwIfAborted();
    each(from, Math.min(scope.to, from + ROWS_PER_PIECE - 1));
    if (from + ROWS_PER_PIECE > scope.to || performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + SLICE_MS;
  }
}

/** Shared by all calls: it is filled and copied without a pause. */
const found = new Uint32Array(ROWS_PER_PIECE);

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

/** Writes the marked rows to `found` and returns how many; reads four marks at once while none is set. */
function markedRows(marks: Uint8Array, from: number, to: number): number {
  const fours = new Int32Array(marks.buffer, marks.byteOffset, marks.length >> 2);
  let count = 0;
  for (let row = from; row <= to; row++) {
    if ((row & 3) === 0) while (fours[row >> 2] === 0 && row + 4 <= to) row += 4;
    if (marks[row] === 1) found[count++] = row;
  }
  return count;
}

/** Rows of a scope that are another name of a file that already counts, because another row of it passes. */
export function furtherNames({ tree, from, to, test }: Omit<Scope, 'signal'>): ReadonlySet<number> {
  const seen = new Set<number>();
  const further = new Set<number>();
  for (let i = 0; i < tree.linkRow.length; i++) {
    const row = uint32At(tree.linkRow, i);
    if (row < from || row > to || (uint8At(tree.kind, row) & FLAG.linked) === 0) continue;
    if (test !== undefined && !test(row)) continue;
    const key = float64At(tree.linkKey, i);
    if (seen.has(key)) further.add(row);
    else seen.add(key);
  }
  return further;
}
