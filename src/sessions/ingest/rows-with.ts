import type { Database, SqlRow } from '../../store/database.ts';

/** How many values a statement names; always as many, so that it is the same statement. */
const AT_ONCE = 50;

/** The rows of a statement `SELECT … WHERE column` that have one of these values. */
export async function rowsWith(
  db: Database,
  statement: string,
  values: readonly string[],
): Promise<readonly SqlRow[]> {
  const rows: SqlRow[] = [];
  for (let from = 0; from < values.length; from += AT_ONCE) {
    const some = values.slice(from, from + AT_ONCE);
    const last = some.at(-1) ?? '';
    const all = [...some, ...Array<string>(AT_ONCE - some.length).fill(last)];
    rows.push(...(await db.all(`${statement} IN (${all.map(() => '?').join(', ')})`, ...all)));
  }
  return rows;
}
