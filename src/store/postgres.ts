import type { Pool, PoolClient, Query as PostgresQuery, QueryResult } from 'pg';
import { fail } from '../contract/errors.ts';
import type { Database, SqlRow, SqlValue } from './database.ts';
import { aloneIn, type Connection } from './postgres-alone.ts';
import {
  listsOf,
  portions,
  storable,
  type TableShape,
  type Translated,
  toPostgres,
  withParameters,
} from './postgres-dialect.ts';
import { asked } from './postgres-errors.ts';

/** A database on PostgreSQL that the subjects use like SQLite: the same statements, one writer at a time. */
export interface PostgresDatabase extends Database {
  /** Runs a statement in PostgreSQL's dialect, or several without parameters. */
  own(sql: string, params?: readonly unknown[]): Promise<readonly SqlRow[]>;
  transaction<T>(work: (tx: PostgresDatabase) => Promise<T>): Promise<T>;
  /** Reads the list of tables again; must be called after creating tables. */
  learnTables(): Promise<void>;
  /**
   * Lends out a connection used by nobody else; the signal cancels what is running, and the transaction is rolled back.
   */
  alone<T>(work: (connection: Connection) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Calls back with every notification on a channel, until the returned function is called. */
  listen(channel: string, hear: (said: string) => void): Promise<() => Promise<void>>;
}

/** The schema that contains all our tables. */
export const SCHEMA = 'pinhole';

/** One writer at a time across all nodes: what a log adds depends on what others have added. */
const WRITER_LOCK = 7_405_501;
const MAX_CONNECTIONS = 10;
const CONNECT_MS = 5_000;
const MAX_ROWS_AT_ONCE = 2_000;
const MAX_STATEMENTS = 500;

/**
 * Types that the driver returns as text but that are numbers here (bigint, numeric), and types SQLite does not have.
 */
const NUMBERS = [20, 1700];
const BOOLEAN = 16;

export interface PostgresOptions {
  readonly log: (line: string) => void;
  readonly connections?: number;
  /** How long an unused connection stays open. */
  readonly idleMs?: number;
  /** Statements run at the start of every connection. */
  readonly begin?: string;
}

/** Opens a database. The driver is loaded only here, because most installations have no PostgreSQL. */
export async function openPostgres(url: string, options: PostgresOptions): Promise<PostgresDatabase> {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    fail('invalid_parameter', 'The address of the database must look like postgres://user@host/name.');
  const { default: pg } = await import('pg');
  const types = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
      if (NUMBERS.includes(oid)) return Number;
      return oid === BOOLEAN
        ? (text: string) => (text === 't' ? 1 : 0)
        : pg.types.getTypeParser(oid, format as 'text');
    }) as typeof pg.types.getTypeParser, // the overloads of the driver's types name each type
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    ...(options.idleMs !== undefined && { idleTimeoutMillis: options.idleMs }),
    application_name: 'pinhole',
    types,
    onConnect: async (client) => {
      await client.query(
        `SET search_path = ${SCHEMA}, pg_catalog; SET timezone = 'UTC'; ${options.begin ?? ''}`,
      );
    },
  });
  // A broken idle connection is replaced; if that fails, the next query reports it.
  pool.on('error', (error) => options.log(`database: ${error.message}`));
  pool.on('connect', (client) => client.on('error', () => {}));
  const shapes = new Map<string, TableShape>();
  const made = overPool(pool, pg.Query, shapes);
  try {
    await made.learnTables();
  } catch (error) {
    await pool.end();
    throw error;
  }
  return made;
}

type Send = (text: string, params: readonly unknown[]) => Promise<QueryResult<SqlRow>>;

function overPool(
  pool: Pool,
  Query: typeof PostgresQuery,
  shapes: Map<string, TableShape>,
): PostgresDatabase {
  const statements = new Map<string, Translated>();
  const translate = (sql: string): Translated => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    const made = toPostgres(sql, shapes);
    statements.set(sql, made);
    return made;
  };
  const send: Send = (text, params) => asked(() => pool.query<SqlRow>(text, [...params]));
  const names = new Map<string, string>();
  const nameOf = (text: string, params: readonly unknown[]): { readonly name?: string } => {
    if (params.length === 0) return {};
    if (!names.has(text) && names.size < MAX_STATEMENTS) names.set(text, `pinhole_${names.size}`);
    const name = names.get(text);
    return name === undefined ? {} : { name };
  };

  async function learnWith(ask: Send): Promise<void> {
    const { rows } = await ask(SHAPES, [SCHEMA]);
    shapes.clear();
    statements.clear();
    for (const row of rows) shapes.set(String(row.name), JSON.parse(String(row.shape)));
  }

  async function transaction<T>(work: (tx: PostgresDatabase) => Promise<T>): Promise<T> {
    const client = await asked(() => pool.connect());
    let broken: Error | undefined;
    try {
      // Prepared once per connection: indexing an addition to a log takes some forty statements.
      const inside: Send = (text, params) =>
        asked(() => client.query<SqlRow>({ ...nameOf(text, params), text, values: [...params] }));
      await inside('BEGIN', []);
      await inside('SELECT pg_advisory_xact_lock($1)', [WRITER_LOCK]);
      const tx: PostgresDatabase = {
        ...database(inside, translate),
        transaction: (more) => more(tx),
        learnTables: () => learnWith(inside),
        alone,
        listen,
        close: async () => {},
      };
      const value = await work(tx);
      await inside('COMMIT', []);
      return value;
    } catch (error) {
      await client.query('ROLLBACK').catch((failed: Error) => {
        broken = failed;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  const alone: PostgresDatabase['alone'] = (work, signal) => aloneIn(pool, Query, work, signal);

  async function listen(channel: string, hear: (said: string) => void): Promise<() => Promise<void>> {
    let client: PoolClient | undefined;
    let ended = false;
    const connect = async (): Promise<void> => {
      const fresh = await pool.connect();
      if (ended) return fresh.release();
      client = fresh;
      fresh.on('notification', ({ payload = '' }) => hear(payload));
      fresh.once('end', () => {
        if (client === undefined) return;
        client = undefined;
        // The pool waits for connections it has lent out.
        fresh.release(true);
        if (!ended) setTimeout(() => void connect().catch(() => {}), 1_000).unref();
      });
      await fresh.query(`LISTEN ${channel}`);
    };
    await asked(connect);
    return async () => {
      ended = true;
      const listening = client;
      client = undefined;
      listening?.release(true);
    };
  }

  return {
    ...database(send, translate),
    async batch(sql, rows) {
      const all = [...rows];
      // A single statement is atomic without a transaction, and need not wait for the writer of logs.
      const { many } = translate(sql);
      const atOnce = all.length <= MAX_ROWS_AT_ONCE && many !== undefined && many.changes === undefined;
      return atOnce ? database(send, translate).batch(sql, all) : transaction((tx) => tx.batch(sql, all));
    },
    transaction,
    learnTables: () => learnWith(send),
    alone,
    listen,
    close: () => pool.end(),
  };
}

/** Every table with its columns, its key and the column that numbers rows. */
const SHAPES = `SELECT c.relname AS name, json_build_object(
    'columns', (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    'types', (SELECT json_agg(format_type(a.atttypid, NULL) ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    'key', COALESCE((SELECT json_agg(a.attname) FROM pg_index i
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
      WHERE i.indrelid = c.oid AND i.indisprimary), '[]'),
    'identity', (SELECT a.attname FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND pg_get_expr(d.adbin, d.adrelid) ~ 'nextval|session_key' LIMIT 1))::text AS shape
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;

function database(
  send: Send,
  translate: (sql: string) => Translated,
): Pick<PostgresDatabase, 'all' | 'get' | 'run' | 'batch' | 'own'> {
  const query = (sql: string, params: readonly SqlValue[]) => {
    const translated = translate(sql);
    return send(withParameters(translated, params), params.map(storable));
  };
  return {
    all: async (sql, ...params) => (await query(sql, params)).rows,
    get: async (sql, ...params) => (await query(sql, params)).rows[0],
    async run(sql, ...params) {
      const { rowCount, rows } = await query(sql, params);
      const [id] = Object.values(rows[0] ?? {});
      return { changes: rowCount ?? 0, id: Number(id ?? 0) };
    },
    async batch(sql, rows) {
      const { many } = translate(sql);
      let changes = 0;
      if (many === undefined) {
        for (const row of rows) changes += (await query(sql, row)).rowCount ?? 0;
        return changes;
      }
      for (const portion of portions(rows, many.changes))
        for (let from = 0; from < portion.length; from += MAX_ROWS_AT_ONCE) {
          const lists = listsOf(portion.slice(from, from + MAX_ROWS_AT_ONCE), many);
          changes += (await send(many.text, lists)).rowCount ?? 0;
        }
      return changes;
    },
    own: async (sql, params = []) => (await send(sql, params)).rows,
  };
}
