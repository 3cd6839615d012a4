import { systemCode } from '../contract/errors.ts';
import {
  databasePassages,
  MAX_NEAREST_PASSAGES,
  type PassageStore,
  passageOf,
  type StoredPassage,
} from '../sessions/meaning/passage-store.ts';
import { type PostgresDatabase, SCHEMA } from '../store/postgres.ts';

/*
 * The passages of sessions and their vectors, for all nodes. If the server has the extension `vector`, PostgreSQL finds
 * the nearest passages with an index; otherwise a node compares all of them. Both find the same passages.
 */

export const MEANINGS_TABLES = `
CREATE TABLE read_sessions (
  session TEXT COLLATE "C" PRIMARY KEY,
  events BIGINT NOT NULL,
  model TEXT COLLATE "C" NOT NULL
);
CREATE TABLE passages (
  session TEXT COLLATE "C" NOT NULL,
  event BIGINT NOT NULL,
  part BIGINT NOT NULL,
  turn BIGINT NOT NULL,
  ms BIGINT NOT NULL,
  words BYTEA NOT NULL,
  vector BYTEA NOT NULL,
  factor DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (session, event, part)
);
CREATE INDEX passages_ms ON passages (ms);
`;

const COLUMN = 'embedding';

/**
 * Run at the start of every connection, so that the index finds as many passages as requested. No effect without the
 * extension.
 */
export const NEAREST_SETTING = `SET hnsw.ef_search = ${MAX_NEAREST_PASSAGES}`;

/** Passages in a team's database. */
export function teamPassages(db: PostgresDatabase): PassageStore {
  /** The schema of the extension, if the server has it. */
  let extension: string | undefined;
  let begun = false;
  const exact = databasePassages(db, () =>
    extension === undefined ? undefined : { name: COLUMN, value: written },
  );
  return {
    ...exact,
    async begin(dimensions) {
      if (begun) return;
      const found = await vectorExtension(db);
      if (found !== undefined) await addColumn(db, found, dimensions);
      // Another node may have added it.
      await db.learnTables();
      extension = found;
      begun = true;
    },
    async nearest(vector, times, limit) {
      if (extension === undefined) return exact.nearest(vector, times, limit);
      const rows = await db.own(
        `SELECT * FROM passages WHERE ms BETWEEN $2 AND $3
         ORDER BY ${COLUMN} OPERATOR(${extension}.<#>) $1::${extension}.vector LIMIT $4`,
        [`[${vector.join(',')}]`, times.sinceMs, times.untilMs, limit],
      );
      return rows.flatMap(passageOf);
    },
    // The database is closed with the sessions.
    close: async () => {},
  };
}

const written = ({ vector, factor }: StoredPassage) =>
  `[${Array.from(vector, (value) => Math.fround(value * factor)).join(',')}]`;

async function vectorExtension(db: PostgresDatabase): Promise<string | undefined> {
  const [there] = await db.own("SELECT 1 AS yes FROM pg_available_extensions WHERE name = 'vector'");
  if (there === undefined) return undefined;
  try {
    await db.own('CREATE EXTENSION IF NOT EXISTS vector SCHEMA public');
  } catch (error) {
    // Not permitted, or another node is creating it.
    if (systemCode(error) === undefined) throw error;
  }
  // Versions before 0.5 do not have this kind of index.
  const [made] = await db.own(
    `SELECT quote_ident(n.nspname) AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
     WHERE e.extname = 'vector' AND EXISTS (SELECT 1 FROM pg_am WHERE amname = 'hnsw')`,
  );
  return made === undefined ? undefined : String(made.schema);
}

/** Adds the column for vectors of this length; sessions are read again to fill it. */
async function addColumn(db: PostgresDatabase, schema: string, dimensions: number): Promise<void> {
  const length = async (tx: PostgresDatabase) =>
    (
      await tx.own(
        'SELECT atttypmod AS length FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2 AND NOT attisdropped',
        [`${SCHEMA}.passages`, COLUMN],
      )
    )[0]?.length;
  if ((await length(db)) === dimensions) return;
  await db.transaction(async (tx) => {
    if ((await length(tx)) === dimensions) return;
    await tx.own(`ALTER TABLE passages DROP COLUMN IF EXISTS ${COLUMN}`);
    await tx.own('DELETE FROM passages');
    await tx.own('DELETE FROM read_sessions');
    await tx.own(`ALTER TABLE passages ADD COLUMN ${COLUMN} ${schema}.vector(${dimensions})`);
    await tx.own(
      `CREATE INDEX passages_${COLUMN} ON passages USING hnsw (${COLUMN} ${schema}.vector_ip_ops)`,
    );
  });
}
