import { sep } from 'node:path';

/** Tables of the index whose rows belong to a session, by the column that holds the session's key. */
export const OF_SESSIONS = [
  'files',
  'events',
  'turns',
  'tools',
  'failures',
  'commands',
  'said_commits',
  'compactions',
  'touches',
  'usage',
  'usage_slots',
  'findings',
  'unknown',
  'blocks',
] as const;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The keys of sessions that ran in or below one of these folders, or in a repository located there. */
function visibleKeys(schema: string, folders: readonly string[]): string {
  const inside = (column: string, folder: string) => {
    const below = folder.endsWith(sep) ? folder : folder + sep;
    return `${column} = ${quoted(folder)} OR substr(${column}, 1, ${[...below].length}) = ${quoted(below)}`;
  };
  const places = folders.flatMap((folder) => [inside('cwd', folder), inside('project_path', folder)]);
  return `SELECT key FROM ${schema}.sessions WHERE ${places.join(' OR ') || '0'}`;
}

/**
 * Views named like the tables, limited to the sessions of these folders. They hide the tables of the main database from
 * every statement of a connection, so that no reader of the index can forget the check.
 */
export function scopeOfConnection(folders: readonly string[]): string {
  const keys = visibleKeys('main', folders);
  const views = OF_SESSIONS.map(
    (table) => `CREATE TEMP VIEW ${table} AS SELECT * FROM main.${table} WHERE session IN (${keys})`,
  );
  return [
    `CREATE TEMP VIEW sessions AS SELECT * FROM main.sessions WHERE key IN (${keys})`,
    ...views,
    'CREATE TEMP VIEW bodies AS SELECT * FROM main.bodies WHERE block IN (SELECT id FROM temp.blocks)',
  ].join(';\n');
}

/**
 * The same for `sql`, whose statements come from callers: views `temp.only_…`. A cross join makes SQLite look up rows
 * by their session, so that no condition of a query is evaluated on a row that it may not see.
 */
export function scopeOfQuery(schema: string, folders: readonly string[]): string {
  const views = OF_SESSIONS.map(
    (table) => `DROP VIEW IF EXISTS temp.only_${table};
CREATE TEMP VIEW only_${table} AS SELECT t.* FROM temp.only_keys k CROSS JOIN ${schema}.${table} t ON t.session = k.key`,
  );
  return [
    'DROP TABLE IF EXISTS temp.only_keys',
    'CREATE TEMP TABLE only_keys (key INTEGER PRIMARY KEY)',
    `INSERT INTO temp.only_keys ${visibleKeys(schema, folders)}`,
    'DROP VIEW IF EXISTS temp.only_sessions',
    `CREATE TEMP VIEW only_sessions AS SELECT t.* FROM temp.only_keys k CROSS JOIN ${schema}.sessions t ON t.key = k.key`,
    'DROP VIEW IF EXISTS temp.only_labels',
    `CREATE TEMP VIEW only_labels AS SELECT * FROM ${schema}.labels`,
    ...views,
  ].join(';\n');
}
