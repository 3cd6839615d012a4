import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { PinholeError } from '../contract/errors.ts';
import type { Database, Migration, SqlRow, SqlValue } from './database.ts';

/** The part of the `node:sqlite` API used here. */
interface Statement {
  all(...params: readonly SqlValue[]): SqlRow[];
  get(...params: readonly SqlValue[]): SqlRow | undefined;
  run(...params: readonly SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  setReadBigInts(enabled: boolean): void;
}
interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}
type ConnectionClass = new (file: string) => Connection;

/** Built into Node since 22.13; on older versions, a package provides it. */
export function loadDriver(): ConnectionClass {
  const require = createRequire(import.meta.url);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const builtIn = major > 22 || (major === 22 && minor >= 13);
  return require(builtIn ? 'node:sqlite' : '@photostructure/sqlite').DatabaseSync;
}

/**
 * Opens a database that only this user can read, even in an older folder that others can enter. The files that SQLite
 * creates next to it get the same mode. The mode is set by path, because closing another descriptor of the file would
 * release the locks that this process holds on it.
 */
export function openPrivately(file: string): Connection {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const connection = new (loadDriver())(file);
  try {
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch {
    // The file belongs to another user, on a shared volume; doctor warns about the folder.
  }
  return connection;
}

const MAX_STATEMENTS = 200;

/** Opens a SQLite database and runs missing migrations; `:memory:` for tests. */
export async function openSqlite(file: string, migrations: readonly Migration[]): Promise<Database> {
  const connection = file === ':memory:' ? new (loadDriver())(file) : openPrivately(file);
  connection.exec(
    // The timeout comes first: the other pragmas need the lock, which a process that was just killed may have left to a
    // child.
    'PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;',
  );
  migrate(connection, migrations, file);
  return wrap(connection);
}

/**
 * Opens a database that another process writes, for reading; undefined if it is missing or has another version.
 *
 * @param views temporary views that its readers see instead of tables
 */
export function openSqliteToRead(
  file: string,
  migrations: readonly Migration[],
  views = '',
): Database | undefined {
  if (!existsSync(file)) return undefined;
  const connection = new (loadDriver())(file);
  try {
    connection.exec(`PRAGMA busy_timeout = 1000; ${views}; PRAGMA query_only = ON;`);
    const steps = connection.prepare('SELECT id FROM migrations').all();
    const known = new Set(steps.map((row) => Number(row.id)));
    if (known.size === migrations.length && migrations.every(({ id }) => known.has(id)))
      return wrap(connection);
  } catch {
    // Just being created, or damaged.
  }
  connection.close();
  return undefined;
}

/** Copies a database as it is at one moment, even while another process writes to it. */
export function copySqlite(file: string, copy: string): void {
  const connection = new (loadDriver())(file);
  try {
    connection.exec('PRAGMA busy_timeout = 1000');
    connection.prepare('VACUUM INTO ?').run(copy);
  } finally {
    connection.close();
  }
}

/**
 * Reads a SQLite file, or one with options as a `file:` URI; `look` gets a function that returns the rows of a query.
 */
export function readSqlite<T>(
  file: string,
  look: (rows: (sql: string, ...params: readonly SqlValue[]) => readonly SqlRow[]) => T,
): T {
  const connection = new (loadDriver())(file);
  try {
    connection.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 200');
    return look((sql, ...params) => allRows(connection.prepare(sql), params));
  } finally {
    connection.close();
  }
}

function migrate(connection: Connection, migrations: readonly Migration[], file: string): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec('CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL)');
    const known = new Set(
      connection
        .prepare('SELECT id FROM migrations')
        .all()
        .map((row) => Number(row.id)),
    );
    const ours = new Set(migrations.map((step) => step.id));
    const foreign = [...known].find((id) => !ours.has(id));
    if (foreign !== undefined) {
      throw new PinholeError(
        'conflict',
        `${file} was written by a newer Pinhole (unknown schema step ${foreign}). Update Pinhole, or set PINHOLE_HOME to another folder.`,
      );
    }
    const record = connection.prepare('INSERT INTO migrations (id, name) VALUES (?, ?)');
    for (const step of [...migrations].sort((a, b) => a.id - b.id)) {
      if (known.has(step.id)) continue;
      connection.exec(step.sql);
      record.run(step.id, step.name);
    }
    connection.exec('COMMIT');
  } catch (error) {
    rollBack(connection);
    connection.close();
    throw error;
  }
}

/** SQLite rolls back by itself when the disk is full; the error of a second rollback must not hide the first error. */
function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // There is no transaction left.
  }
}

function allRows(statement: Statement, params: readonly SqlValue[]): SqlRow[] {
  return reading(
    statement,
    () => statement.all(...params),
    (rows) => rows.map(withExactNumbers),
  );
}

function firstRow(statement: Statement, params: readonly SqlValue[]): SqlRow | undefined {
  return reading(
    statement,
    () => statement.get(...params),
    (row) => row && withExactNumbers(row),
  );
}

/**
 * The driver throws if an integer is too large to be exact in JavaScript. One such row must not make the others
 * unreadable, so everything is then read as big integers and converted here.
 */
function reading<T>(statement: Statement, read: () => T, exact: (rows: T) => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error && TOO_LARGE.test(error.message))) throw error;
    statement.setReadBigInts(true);
    try {
      return exact(read());
    } finally {
      statement.setReadBigInts(false);
    }
  }
}

/** The drivers' message; only some of their errors have a code. */
const TOO_LARGE = /too large to be represented as a JavaScript number/;
const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** A row with exact numbers; a number that is too large becomes the nearest exact one. */
function withExactNumbers(row: SqlRow): SqlRow {
  const exact = (value: SqlValue): SqlValue => {
    if (typeof value !== 'bigint') return value;
    return Number(value > MAX_EXACT ? MAX_EXACT : value < -MAX_EXACT ? -MAX_EXACT : value);
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, exact(value)]));
}

function wrap(connection: Connection): Database {
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    const made = connection.prepare(sql);
    statements.set(sql, made);
    return made;
  };

  // There is only one connection, so a transaction that awaits must keep everybody else out until it ends.
  let tail: Promise<unknown> = Promise.resolve();
  const exclusively = <T>(work: () => T | Promise<T>): Promise<T> => {
    const turn = tail.then(work);
    tail = turn.catch(() => {});
    return turn;
  };

  const direct: Database = {
    all: async (sql, ...params) => allRows(prepare(sql), params),
    get: async (sql, ...params) => firstRow(prepare(sql), params),
    run: async (sql, ...params) => {
      const { changes, lastInsertRowid } = prepare(sql).run(...params);
      return { changes: Number(changes), id: Number(lastInsertRowid) };
    },
    batch: async (sql, rows) => {
      const statement = prepare(sql);
      let changes = 0;
      for (const row of rows) changes += Number(statement.run(...row).changes);
      return changes;
    },
    transaction: (work) => work(direct),
    close: async () => connection.close(),
  };
  const inTransaction = async <T>(work: () => Promise<T>): Promise<T> => {
    connection.exec('BEGIN IMMEDIATE');
    try {
      const value = await work();
      connection.exec('COMMIT');
      return value;
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  };
  return {
    all: (sql, ...params) => exclusively(() => direct.all(sql, ...params)),
    get: (sql, ...params) => exclusively(() => direct.get(sql, ...params)),
    run: (sql, ...params) => exclusively(() => direct.run(sql, ...params)),
    batch: (sql, rows) => exclusively(() => inTransaction(() => direct.batch(sql, rows))),
    transaction: (work) => exclusively(() => inTransaction(() => work(direct))),
    close: () => exclusively(() => direct.close()),
  };
}
