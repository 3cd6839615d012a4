import type { Cell } from './query-messages.ts';

/** A row of one of several tables; without cells, that table has no rows. */
export interface TableRow {
  readonly statement: number;
  /** From 0, within its table. */
  readonly number: number;
  readonly cells?: readonly Cell[];
}

/**
 * The rows of several tables in the order in which they get onto pages: each table has the same share of bytes, so that
 * a long one does not push out the others.
 */
export function sharedRows(tables: readonly (readonly (readonly Cell[])[])[]): readonly TableRow[] {
  const [only = [], ...others] = tables;
  if (others.length === 0) return only.map((cells, number) => ({ statement: 0, number, cells }));
  const rows = tables.flatMap((table, statement) => {
    let bytes = 0;
    const some = table.map((cells, number) => {
      for (const cell of cells) bytes += typeof cell === 'string' ? cell.length + 1 : 6;
      return { row: { statement, number, cells }, bytes };
    });
    return some.length === 0 ? [{ row: { statement, number: 0 }, bytes: 0 }] : some;
  });
  return rows.sort((a, b) => a.bytes - b.bytes).map(({ row }) => row);
}
