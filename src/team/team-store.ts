import { PinholeError } from '../contract/errors.ts';
import { int } from '../sessions/store/session-row.ts';
import { SESSIONS_SCHEMA } from '../sessions/store/sessions-schema.ts';
import type { Migration } from '../store/database.ts';
import { openPostgres, type PostgresDatabase, SCHEMA } from '../store/postgres.ts';
import { POSTGRES_FUNCTIONS } from '../store/postgres-functions.ts';
import { VIEW_TABLES, writeAllPrices } from './query/index-texts.ts';
import { makeViews } from './query/sql-views.ts';
import { NEAREST_SETTING } from './team-passages.ts';
import { BY_MONTH, indexForPostgres, MONTH, TEAM_SCHEMA, tablesIn } from './team-schema.ts';

export interface TeamStoreOptions {
  readonly log: (line: string) => void;
  readonly connections?: number;
  /** The steps of the schema, for tests. */
  readonly steps?: readonly Migration[];
}

/** Raised with every change in what this server adds to the index. */
const ADDED_VERSION = 1;

/** The version of the index of sessions; if the number differs, the index is rebuilt from the lines. */
export const INDEX_VERSION = 100 * Math.max(...SESSIONS_SCHEMA.map(({ id }) => id)) + ADDED_VERSION;

/** The oldest PostgreSQL we test with. */
const OLDEST_POSTGRES = 150_000;

/** Opens a team's database, and brings its schema up to date. */
export async function openTeamStore(url: string, options: TeamStoreOptions): Promise<PostgresDatabase> {
  const db = await openPostgres(url, { ...options, begin: NEAREST_SETTING });
  try {
    await refuseOld(db);
    await migrate(db, options.steps ?? TEAM_SCHEMA);
    await addMonth(db, await thisMonth(db));
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function refuseOld(db: PostgresDatabase): Promise<void> {
  const [row] = await db.own("SELECT current_setting('server_version_num')::bigint AS number");
  const number = int(row?.number);
  if (number < OLDEST_POSTGRES)
    throw new PinholeError(
      'conflict',
      `This PostgreSQL has version ${Math.floor(number / 10_000)}. Use version 15 or newer.`,
    );
}

async function migrate(db: PostgresDatabase, steps: readonly Migration[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.own(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    await tx.own('CREATE TABLE IF NOT EXISTS schema_steps (id BIGINT PRIMARY KEY, name TEXT NOT NULL)');
    await tx.own('CREATE TABLE IF NOT EXISTS index_version (id BIGINT PRIMARY KEY)');
    const known = new Set((await tx.own('SELECT id FROM schema_steps')).map(({ id }) => int(id)));
    const [index] = await tx.own('SELECT id FROM index_version');
    const newest = Math.max(...steps.map(({ id }) => id));
    const foreign = [...known].find((id) => !steps.some((step) => step.id === id));
    if (foreign !== undefined) throw newer(`step ${foreign}; this Pinhole knows ${newest}`);
    if (int(index?.id) > INDEX_VERSION)
      throw newer(`index ${int(index?.id)}; this Pinhole knows ${INDEX_VERSION}`);
    await tx.own(POSTGRES_FUNCTIONS);
    for (const step of steps) {
      if (known.has(step.id)) continue;
      await tx.own(step.sql);
      await tx.own('INSERT INTO schema_steps (id, name) VALUES ($1, $2)', [step.id, step.name]);
    }
    const isNew = int(index?.id) !== INDEX_VERSION;
    if (isNew) await makeIndex(tx);
    await tx.learnTables();
    // A new version may have other list prices.
    await writeAllPrices(tx);
    await makeViews(tx, isNew);
  });
}

/** Throws if the schema is not this Pinhole's: another one may have changed it since this node started. */
export async function checkSchema(db: PostgresDatabase): Promise<void> {
  const [row] = await db.own(
    'SELECT (SELECT max(id) FROM schema_steps) AS step, (SELECT max(id) FROM index_version) AS index',
  );
  const newest = Math.max(...TEAM_SCHEMA.map(({ id }) => id));
  if (int(row?.step) !== newest || int(row?.index) !== INDEX_VERSION)
    throw new PinholeError(
      'unavailable',
      'The database has the schema of another version of Pinhole. Update this node, or restart it.',
    );
}

function newer(what: string): PinholeError {
  return new PinholeError(
    'conflict',
    `The database was written by a newer Pinhole (schema ${what}). Update Pinhole on this node, or give it another database.`,
  );
}

/** Creates the tables of the index, empty; they are filled from the lines. */
async function makeIndex(tx: PostgresDatabase): Promise<void> {
  const sql = SESSIONS_SCHEMA.map((step) => step.sql).join('\n');
  for (const table of tablesIn(sql)) await tx.own(`DROP TABLE IF EXISTS ${table} CASCADE`);
  await tx.own(indexForPostgres(sql));
  await tx.own(VIEW_TABLES);
  await tx.own(
    'CREATE INDEX sessions_machine ON sessions (machine); CREATE INDEX sessions_person ON sessions (person)',
  );
  // Events may get new numbers.
  for (const table of ['passages', 'read_sessions'])
    await tx.own(
      `DO $$ BEGIN IF to_regclass('${table}') IS NOT NULL THEN DELETE FROM ${table}; END IF; END $$`,
    );
  await tx.own('UPDATE logs SET derived = 0');
  await tx.own('DELETE FROM index_version');
  await tx.own('INSERT INTO index_version (id) VALUES ($1)', [INDEX_VERSION]);
  const months = await tx.own(`SELECT DISTINCT id / ${MONTH} AS month FROM logs`);
  for (const { month } of months) await addMonth(tx, int(month));
}

export async function thisMonth(db: PostgresDatabase): Promise<number> {
  const [row] = await db.own("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')::bigint AS month");
  return int(row?.month);
}

/** Creates the partitions for the logs of a month. */
export async function addMonth(db: PostgresDatabase, month: number): Promise<void> {
  const [row] = await db.own(
    `SELECT bool_and(to_regclass($1 || '.' || name || '_' || $2) IS NOT NULL) AS made FROM unnest($3::text[]) AS name`,
    [SCHEMA, String(month), [...BY_MONTH]],
  );
  if (row?.made === 1) return;
  for (const table of BY_MONTH)
    await db.own(
      `CREATE TABLE IF NOT EXISTS ${table}_${month} PARTITION OF ${table}
       FOR VALUES FROM (${month * MONTH}) TO (${(month + 1) * MONTH})`,
    );
}
