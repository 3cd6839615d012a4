import { TABLES } from './subjects.ts';

/** What slows a query down, according to its plan and the tables it reads, and what to do about it. */
export function slowMessage(limitMs: number, plan: readonly string[], read: readonly string[]): string {
  const stopped = `Stopped after ${Math.round(limitMs / 1000)} s.`;
  const tables = TABLES.filter(({ name }) => read.includes(name)).map(({ name }) => name);
  // The rows of a disk index are a range of numbers in a table, so SQLite reports reading all of them as a search.
  const scans = plan.filter((line) => /^SCAN |\(rowid>\? AND/.test(line));
  if (plan.length === 0) return `${stopped} The machine is busy, or an index is being loaded; try again.`;
  if (tables.length === 0 || scans.length === 0)
    return `${stopped} A recursive part does not end: give it a condition or a LIMIT.`;
  const [first] = tables;
  if (scans.length > 1)
    return `${stopped} It compares every row with every row (${scans.length} full scans of ${tables.join(', ')}): join on equal columns such as session, path or name, or select a few rows in WITH x AS MATERIALIZED (…) first.`;
  return `${stopped} It reads all of ${first}: begin with a condition on session, path or name, or with a smaller table.`;
}
