import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { SqlTable } from '../../store/sql-table.ts';

interface ViewParts {
  readonly time: (ms: string) => string;
  readonly visible: (id: string) => string;
  /** SQL for the name of a user. */
  readonly owner: (id: string) => string;
  /** Whether only the rows of some folders are visible. */
  readonly within: boolean;
  /** The prefix of the names of session tables. */
  readonly sessions: string;
}

/** The view behind a table. Subjects store times in milliseconds; tables in memory already have them as text. */
export function viewOf(
  table: SqlTable,
  schemas: readonly string[],
  { time, visible, owner, within, sessions }: ViewParts,
): string {
  const names = Object.entries(table.columns);
  const columns = names.map(([name]) => `"${name}"`).join(', ');
  if (schemas.length === 0) {
    const nothing = names.map(() => 'NULL').join(', ');
    return `CREATE TEMP VIEW "${table.name}" (${columns}) AS SELECT ${nothing} WHERE 0`;
  }
  const select = schemas
    .map((schema) =>
      table.select.replaceAll('{db}.', within ? 'temp.only_' : `${schema}.`).replaceAll('{db}', schema),
    )
    .map((sql) => sql.replaceAll('{sessions}.', sessions))
    .join(' UNION ALL ')
    .replace(/\{visible:([\w.]+)\}/g, (_, id: string) => visible(id))
    .replace(/\{owner:([\w.]+)\}/g, (_, id: string) => owner(id));
  const inMemory = schemas[0] === 'main';
  const shown = names.map(([name, { type }]) =>
    type === 'time' && !inMemory ? time(`"${name}"`) : `"${name}"`,
  );
  const raw = `raw(${columns}) AS (${select})`;
  return inMemory
    ? `CREATE TEMP VIEW "${table.name}" (${columns}) AS ${select}`
    : `CREATE TEMP VIEW "${table.name}" (${columns}) AS WITH ${raw} SELECT ${shown.join(', ')} FROM raw`;
}

/** Replaces a view if its statement changed. */
export function createViews(db: DatabaseSyncInstance): (name: string, statement: string) => void {
  const made = new Map<string, string>();
  return (name, statement) => {
    if (made.get(name) === statement) return;
    made.delete(name);
    db.exec(`DROP VIEW IF EXISTS temp."${name}"`);
    db.exec(statement);
    made.set(name, statement);
  };
}
