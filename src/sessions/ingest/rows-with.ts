import type { Database, SqlRow } from '../../store/database.ts';

/** Always the same number of values, so that the prepared statement can be reused. */
const VALUES_PER_STATEMENT = 50;

/** The rows of a statement `SELECT … WHERE column` that have one of these values. */
export async function rowsWith(
  db: Database,
  statement: string,
  values: readonly string[],
): Promise<readonly SqlRow[]> {
  const rows: SqlRow[] = [];
  for (let from = 0; from < values.length; from += VALUES_PER_STATEMENT) {
    const some = values.slice(from, from + VALUES_PER_STATEMENT);
    const last = some.at(-1) ?? '';
    const all = [...some, ...Array<string>(VALUES_PER_STATEMENT - some.length).fill(last)];
    rows.push(...(await db.all(`${statement} IN (${all.map(() => '?').join(', ')})`, ...all)));
  }
  return rows;
}
