import { createHash } from 'node:crypto';
import { SESSION_TABLES } from '../../sessions/tables.ts';
import { COST_ARGUMENTS, COST_ARGUMENTS_OF_SLOT, PROMPT } from '../../sessions/tokens/token-total.ts';
import { type PostgresDatabase, SCHEMA } from '../../store/postgres.ts';
import type { SqlTable } from '../../store/sql-table.ts';
import { SQL_FUNCTIONS } from './sql-functions.ts';

/** The schema with the promised tables, and the role that may read only those. */
export const VIEWS = 'pinhole_sql';
export const READER = 'pinhole_reader';

/**
 * The projects that the connection may see: `*`, or a JSON list. Without this setting it sees nothing, so a program
 * that reads the views directly needs `ALTER ROLE … SET pinhole.sees`.
 */
export const SEES = 'pinhole.sees';

/** The cost of the tokens `u` at the price joined to them; NULL without a price. */
const COST = `((u.input + u.tool) * price.input + u.cached * price.cached
  + (u.cache_write - u.cache_write_hour) * price.cache_write + u.cache_write_hour * price.cache_write_hour
  + u.output * price.output) / 1e6::double precision`;

/**
 * Tokens with the price for their model and the size of their prompt. A price that no column needs is not looked up.
 */
const priced = (table: string, prompt: string) =>
  `${SCHEMA}.${table} u LEFT JOIN ${SCHEMA}.model_prices price ON price.model = COALESCE(u.model, 'unknown') AND price.prompt = ${prompt}`;

/**
 * Sessions that the connection may see. The views over it are security barriers: conditions of a query are evaluated
 * only on rows they let through. This one is not a barrier, so that PostgreSQL knows the number of sessions when
 * planning.
 */
const SEEN = `CREATE VIEW seen_sessions AS SELECT * FROM ${SCHEMA}.sessions
  WHERE (SELECT current_setting('${SEES}', true)) = '*' OR project_path IN (SELECT json_array_elements_text(
    COALESCE(NULLIF(NULLIF(current_setting('${SEES}', true), '*'), ''), '[]')::json))`;

/** The text of an event `e`. It is joined, because looking up each one takes longer. */
const TEXT_OF_EVENT = "event_text('{db}', e.session, e.idx)";

/** A promised table on PostgreSQL: the same SELECT, without functions that need more than the role may read. */
function viewOf({ name, columns, select }: SqlTable): string {
  const names = Object.entries(columns);
  const sql = select
    .replaceAll(`response_cost(${COST_ARGUMENTS})`, COST)
    .replaceAll(`response_cost(${COST_ARGUMENTS_OF_SLOT})`, COST)
    .replaceAll('{db}.usage u', priced('usage', PROMPT))
    .replaceAll('{db}.usage_slots u', priced('usage_slots', 'u.prompt'))
    .replace(TEXT_OF_EVENT, 'x.text')
    .replace(
      '{db}.events e JOIN',
      `{db}.events e LEFT JOIN {db}.event_texts x ON x.session = e.session AND x.idx = e.idx JOIN`,
    )
    .replace(
      /event_text\('\{db\}', ([\w.]+), (\w+\([^()]*\)|[\w.]+)\)/g,
      `(SELECT x.text FROM ${SCHEMA}.event_texts x WHERE x.session = $1 AND x.idx = $2)`,
    )
    // With a list, PostgreSQL looks up the rows; with OR, it reads all of them for every session.
    .replace(
      /u\.session = s\.key\s+OR u\.session IN \((SELECT c\.key [^)]*)\)/g,
      'u.session = ANY (ARRAY(SELECT s.key UNION ALL $1))',
    )
    .replaceAll('{db}.sessions', `${VIEWS}.seen_sessions`)
    .replaceAll('{db}', SCHEMA);
  const shown = names.map(([column, { type }]) =>
    type === 'time' ? `local_text(raw."${column}") AS "${column}"` : `raw."${column}"`,
  );
  return `CREATE VIEW "${name}" WITH (security_barrier) AS SELECT ${shown.join(', ')} FROM (${sql}) raw`;
}

const ROLE = `DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${READER}') THEN
    BEGIN CREATE ROLE ${READER} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END;
  END IF;
  IF NOT pg_has_role('${READER}', 'MEMBER') THEN GRANT ${READER} TO CURRENT_USER; END IF;
END $$`;

/** Creates the views again if they are from another version. Returns false if creating a role is not allowed. */
export async function makeViews(tx: PostgresDatabase, indexIsNew: boolean): Promise<boolean> {
  const names = SESSION_TABLES.tables.map(({ name }) => `"${name}"`).join(', ');
  const statements = [
    `DROP SCHEMA IF EXISTS ${VIEWS} CASCADE`,
    `CREATE SCHEMA ${VIEWS}`,
    `SET LOCAL search_path = ${VIEWS}, ${SCHEMA}, pg_catalog`,
    SQL_FUNCTIONS,
    SEEN,
    ...SESSION_TABLES.tables.map(viewOf),
    `GRANT USAGE ON SCHEMA ${VIEWS} TO ${READER}`,
    `GRANT SELECT ON ${names} TO ${READER}`,
    `SET LOCAL search_path = ${SCHEMA}, pg_catalog`,
  ];
  const digest = createHash('sha256').update(statements.join()).digest('hex').slice(0, 16);
  await tx.own('CREATE TABLE IF NOT EXISTS views_version (digest TEXT PRIMARY KEY)');
  const [known] = await tx.own('SELECT digest FROM views_version');
  if (known?.digest === digest && !indexIsNew) return true;
  await tx.own('SAVEPOINT role');
  try {
    await tx.own(ROLE);
  } catch (error) {
    await tx.own('ROLLBACK TO SAVEPOINT role');
    if (!(error instanceof Error && 'code' in error && error.code === '42501')) throw error;
    return false;
  }
  for (const sql of statements) await tx.own(sql);
  await tx.own('DELETE FROM views_version');
  await tx.own('INSERT INTO views_version VALUES ($1)', [digest]);
  return true;
}
