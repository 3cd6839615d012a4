import { isBody, withoutComments, withShortLines } from './short-bodies.ts';
import type { SymbolData } from './symbol-data.ts';
import { withoutMiddle } from './symbol-lines.ts';
import type { SymbolLine } from './symbol-rows-shown.ts';

type Rows = readonly SymbolLine[];

/** The bytes of a line besides its text, of a row that is not a line, and of the name above a body. */
const LINE_BYTES = 6;
const ROW_BYTES = 40;
const HEAD_BYTES = 100;
/** What is left of a body whose middle is left out, at least. */
const MIN_LINES = 6;
/** If bodies are cut anyway, callers get at most this share of an answer. */
const CALLERS_SHARE = 1 / 4;

interface Fitting {
  readonly lists: readonly Rows[];
  readonly short?: SymbolData['short'];
}

/**
 * The rows of several symbols, so that all fit into one answer: without comments if there is no room for them, and
 * then without the middle of the longest bodies. Lines that were asked for by number stay whole.
 */
export function fitBodies(lists: readonly Rows[], { budget, short }: FitOptions): Fitting {
  const lines = short ? lists.map(withShortLines) : lists;
  const room = budget - lists.length * HEAD_BYTES;
  if (bytesOf(lines) <= room)
    return { lists: lines, ...(bytesOf(lines) < bytesOf(lists) && { short: 'lines' }) };
  const bare = short ? lists.map(withoutComments).map(withShortLines) : lists;
  const told = short ? ({ short: 'comments' } as const) : {};
  if (bytesOf(bare) <= room) return { lists: bare, ...told };
  return { lists: withoutMiddles(bare, room, budget), ...told };
}

export interface FitOptions {
  readonly budget: number;
  /** Whether lines may be shortened too. */
  readonly short: boolean;
}

function bytesOf(lists: readonly Rows[]): number {
  return lists.reduce((sum, rows) => sum + bodyBytes(rows), 0);
}

function bodyBytes(rows: Rows): number {
  return rows.reduce((sum, row) => sum + (isBody(row) ? Buffer.byteLength(row.text) + LINE_BYTES : 0), 0);
}

/** Whether the rows are lines that were asked for by number. */
function isRange(rows: Rows): boolean {
  return rows.some((row) => row.part === 'symbol' && row.place.kind === 'lines');
}

function withoutMiddles(lists: readonly Rows[], room: number, budget: number): readonly Rows[] {
  const ranges = lists.filter(isRange);
  const definitions = [...lists.entries()].filter(([, rows]) => !isRange(rows));
  const others = definitions.reduce((sum, [, rows]) => sum + rows.filter((row) => !isBody(row)).length, 0);
  let left = room - bytesOf(ranges) - Math.min(others * ROW_BYTES, budget * CALLERS_SHARE);
  // Short bodies stay whole; the room that they leave goes to the longer ones.
  const shares = new Map<number, number>();
  const order = definitions
    .map(([of, rows]) => ({ of, body: bodyBytes(rows) }))
    .sort((a, b) => a.body - b.body);
  for (const [nth, { of, body }] of order.entries()) {
    const share = Math.max(0, Math.min(body, left / (order.length - nth)));
    shares.set(of, share);
    left -= share;
  }
  return lists.map((rows, of) => {
    const body = bodyBytes(rows);
    const share = shares.get(of) ?? body;
    const lines = rows.filter(isBody).length;
    return share >= body
      ? rows
      : withoutMiddle(rows, Math.max(MIN_LINES, Math.floor((lines * share) / body)));
  });
}
