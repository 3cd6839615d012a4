import type { SqlColumnType, SqlTable } from '../store/sql-table.ts';

/** A column: its type, or the values it can have; its meaning, its SQL, and whether it is rarely needed. */
type Column = readonly [type: SqlColumnType | readonly string[], meaning: string, sql: string, rare?: 'rare'];

export function table(
  name: string,
  row: string,
  from: string,
  columns: Readonly<Record<string, Column>>,
): SqlTable {
  const selected = Object.entries(columns).map(([column, [, , sql]]) => `${sql} AS "${column}"`);
  return {
    name,
    row,
    columns: Object.fromEntries(
      Object.entries(columns).map(([column, [type, meaning, , rare]]) => [
        column,
        {
          ...(typeof type === 'string' ? { type } : { type: 'text', values: type }),
          meaning,
          ...(rare === undefined ? {} : { rare: true }),
        },
      ]),
    ),
    select: `SELECT ${selected.join(', ')} FROM ${from}`,
  };
}

/** The next prompt after a turn of the same session. */
export const nextPrompt = (session: string, turn: string) =>
  `(SELECT NULLIF(n.prompt, '') FROM {db}.turns n WHERE n.session = ${session} AND n.idx = ${turn} + 1)`;

/**
 * Forks and continued sessions begin with copies of earlier records. These count only for the earlier session: turns
 * that are marked, and steps whose response it owns. A prompt goes with the first step after it.
 */
export function notCopied(turn: string, step: string): string {
  return `s.copy_of IS NULL AND (s.relation IS NULL OR NOT (
    EXISTS (SELECT 1 FROM {db}.turns i WHERE i.session = s.key AND i.idx = ${turn} AND i.inherited = 1)
    OR (s.relation IN ('fork', 'continuation') AND EXISTS (SELECT 1 FROM {db}.usage u
      WHERE u.session = s.key AND u.turn = ${turn} AND u.step = ${step} AND u.owned = 0 AND u.relayed = 0))))`;
}
