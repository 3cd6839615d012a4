import type { Cell } from './query-messages.ts';

/** A row of one of several tables; without cells, that table has no rows. */
export interface TableRow {
  readonly statement: number;
  /** Within its table, from 0. */
  readonly number: number;
  readonly cells?: readonly Cell[];
}

/** The rows of a table, and the maximum length of text in each column. */
interface SizedTable {
  readonly rows: readonly (readonly Cell[])[];
  readonly longest: readonly number[];
}

/** Also says how many of the rows are shown by default. */
export interface SharingTable extends SizedTable {
  readonly shown: number;
}

/** Rows shown of each table however long they are; a few more are shown if that completes the table. */
const MIN_ROWS_SHOWN = 25;
const FEW_MORE_ROWS = 5;

/** How many rows of each table are shown by default: as many as fit into its share of the bytes. */
export function shownRows(tables: readonly SizedTable[], bytes: number): readonly number[] {
  const sizes = tables.map(({ rows, longest }) => rows.map((cells) => rowBytes(cells, longest)));
  const whole = sizes.map((each) => each.reduce((sum, size) => sum + size, 0));
  const shown = tables.map(({ rows }) => rows.length);
  let left = bytes;
  // Longer tables get what shorter ones leave.
  const order = [...whole.entries()].sort(([, a], [, b]) => a - b);
  for (const [nth, [of, all]] of order.entries()) {
    const share = Math.min(all, left / (order.length - nth));
    left -= share;
    let sum = 0;
    const over =
      sizes[of]?.findIndex((size) => {
        sum += size;
        return sum > share;
      }) ?? -1;
    const some = Math.max(over, MIN_ROWS_SHOWN);
    if (over >= 0 && (shown[of] ?? 0) > some + FEW_MORE_ROWS) shown[of] = some;
  }
  return shown;
}

/** The approximate size of a row. */
function rowBytes(cells: readonly Cell[], longest: readonly number[]): number {
  return cells.reduce<number>(
    (sum, cell, at) => sum + (typeof cell === 'string' ? Math.min(cell.length, longest[at] ?? 0) + 1 : 6),
    0,
  );
}

/**
 * The rows of several tables in page order, and how many of them are on the first page. Each table has the same share
 * of bytes, so that a long one does not push out the others.
 */
export function sharedRows(tables: readonly SharingTable[]): {
  readonly rows: readonly TableRow[];
  readonly first: number;
} {
  const rows = tables.flatMap(({ rows: all, shown, longest }, statement) => {
    let bytes = 0;
    const some = all.map((cells, number) => {
      bytes += rowBytes(cells, longest);
      return { row: { statement, number, cells }, bytes, later: number < shown ? 0 : 1 };
    });
    return some.length === 0 ? [{ row: { statement, number: 0 }, bytes: 0, later: 0 }] : some;
  });
  const first = rows.filter(({ later }) => later === 0).length;
  if (tables.length > 1) rows.sort((a, b) => a.later - b.later || a.bytes - b.bytes);
  return { rows: rows.map(({ row }) => row), first };
}
