import type { Cell } from './query-messages.ts';

/** A row of one of several tables; without cells, that table has no rows. */
export interface TableRow {
  readonly statement: number;
  /** From 0, within its table. */
  readonly number: number;
  readonly cells?: readonly Cell[];
}

/** The rows of a table, and how many of them are shown without being asked for. */
export interface SharingTable {
  readonly rows: readonly (readonly Cell[])[];
  readonly shown: number;
  /** How long the text of each cell may be. */
  readonly longest: readonly number[];
}

/**
 * The rows of several tables in the order in which they get onto pages, and how many of them are on the first one: each
 * table has the same share of bytes, so that a long one does not push out the others.
 */
export function sharedRows(tables: readonly SharingTable[]): {
  readonly rows: readonly TableRow[];
  readonly first: number;
} {
  const rows = tables.flatMap(({ rows: all, shown, longest }, statement) => {
    let bytes = 0;
    const some = all.map((cells, number) => {
      for (const [at, cell] of cells.entries())
        bytes += typeof cell === 'string' ? Math.min(cell.length, longest[at] ?? 0) + 1 : 6;
      return { row: { statement, number, cells }, bytes, later: number < shown ? 0 : 1 };
    });
    return some.length === 0 ? [{ row: { statement, number: 0 }, bytes: 0, later: 0 }] : some;
  });
  const first = rows.filter(({ later }) => later === 0).length;
  if (tables.length > 1) rows.sort((a, b) => a.later - b.later || a.bytes - b.bytes);
  return { rows: rows.map(({ row }) => row), first };
}
