import { accessSync, constants as constantsOf } from 'node:fs';
import { constants, DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { errorText } from '../../contract/errors.ts';
import { localTimeText } from '../../contract/zone.ts';
import { filesApart, inVcs, needsFolders } from '../../disk/tables.ts';
import { localTimeSql } from '../../store/local-time-sql.ts';
import { meaningOf, type SqlSettings, type SqlSubject, type SqlValue } from '../../store/sql-table.ts';
import {
  type Cell,
  type DuplicateFile,
  MAX_RESULT_BYTES,
  MAX_RESULT_ROWS,
  type QueryRequest,
  type QueryResult,
} from '../query-messages.ts';
import { OWN_TABLES, SUBJECTS, type Subject, TABLES } from '../subjects.ts';
import { ALLOWED_FUNCTIONS } from './allowed-functions.ts';
import { createAttachments } from './attached-files.ts';
import { createDiskRows } from './disk-rows.ts';
import { FILES_BY_FOLDER, withFolderNames } from './folder-names.ts';
import { inserter } from './load-disk.ts';
import { withPlainTests } from './plain-tests.ts';
import { QueryMistake } from './query-mistake.ts';
import { createViews, viewOf } from './table-views.ts';

/** The connection that queries run on. */
export interface QueryConnection {
  run(request: QueryRequest, toldPlan: (plan: readonly string[]) => void): Promise<QueryResult>;
}

type Functions = Readonly<Record<string, (...values: SqlValue[]) => SqlValue>>;

export function createQueryConnection(functions: Functions): QueryConnection {
  const db = new DatabaseSync(':memory:', {
    limits: { length: 10_000_000, likePatternLength: 1_000 },
    defensive: true,
    timeout: 2_000,
  });
  // Large sorts go to temporary files; the size of those and of memory is limited (query-limits.ts).
  db.exec(`PRAGMA temp_store = ${temporaryFiles() ? 'FILE' : 'MEMORY'}; PRAGMA cache_size = -32000`);
  db.exec(FOUND_ROWS);
  db.exec('CREATE TABLE duplicate_rows (hash TEXT, path TEXT, size INTEGER, copies INTEGER, vcs INTEGER)');
  db.exec('CREATE TABLE table_rows ("table" TEXT, "column" TEXT, type TEXT, meaning TEXT)');
  listTables(db);
  const callable = new Set([...ALLOWED_FUNCTIONS, ...Object.keys(functions)]);
  const define = (made: Functions) => {
    for (const [name, work] of Object.entries(made)) {
      callable.add(name.toLowerCase());
      // Within one query, `ago` is deterministic too, so that SQLite calls it once instead of for every row.
      db.function(name, { varargs: true, deterministic: true }, work);
    }
  };
  define(functions);
  const attach = createAttachments(db);
  const disk = createDiskRows(db, () => void attach([]));
  const view = createViews(db);
  const prepared = new Map<Subject, string>();

  /** A subject's functions are created again when its databases or the settings change. */
  function prepareSubject(
    name: Subject,
    subject: SqlSubject,
    schemas: readonly string[],
    settings: SqlSettings,
  ): void {
    const key = JSON.stringify([schemas, settings]);
    if (prepared.get(name) === key) return;
    prepared.set(name, key);
    const statements = new Map<string, ReturnType<typeof db.prepare>>();
    const all = (sql: string, ...values: SqlValue[]) => {
      const statement = statements.get(sql) ?? db.prepare(sql);
      statements.set(sql, statement);
      return statement.all(...values);
    };
    define(subject.functions?.({ all }, schemas, settings) ?? {});
  }

  /** Compiled queries can only name promised tables (sandbox.ts); everything SQLite does besides reading is refused. */
  const onlyReads = (action: number, first: string | null, second: string | null) => {
    const allowed =
      action === constants.SQLITE_SELECT ||
      action === constants.SQLITE_RECURSIVE ||
      (action === constants.SQLITE_READ && !/^(?:sqlite_|pragma_)/i.test(first ?? '')) ||
      (action === constants.SQLITE_FUNCTION && callable.has(second?.toLowerCase() ?? ''));
    return allowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
  };

  return {
    async run(request, toldPlan) {
      const visible = await disk.load(request.disk, request.reads, request.zone);
      const schemas = attach(Object.values(request.databases).flat());
      const time = localTimeSql(request.zone);
      const sources = new Map<string, readonly string[]>();
      const within = new Set<string>();
      for (const [name, subject] of Object.entries(SUBJECTS) as [Subject, SqlSubject][]) {
        const own = (request.databases[name] ?? []).flatMap((file) => schemas.get(file) ?? []);
        prepareSubject(name, subject, own, request.settings);
        const folders = request.within?.[name];
        for (const schema of folders === undefined ? [] : own) db.exec(restricted(subject, schema, folders));
        if (folders !== undefined) for (const table of subject.tables) within.add(table.name);
        for (const table of subject.tables) sources.set(table.name, name === 'disk' ? ['main'] : own);
      }
      for (const { name } of OWN_TABLES) sources.set(name, ['main']);
      const owner = ownerNames(db);
      const faster = withFolderNames(request.query);
      const byFolder = filesApart(FILES_BY_FOLDER, disk.folderNames.of(faster.names));
      const files = needsFolders(request.reads.files ?? []) ? [] : [filesApart('files', {})];
      const tables = new Map([...TABLES, ...files].map((table) => [table.name, table]));
      for (const table of faster.names.length > 0 ? [...tables.values(), byFolder] : tables.values())
        view(
          table.name,
          viewOf(table, sources.get(table === byFolder ? 'files' : table.name) ?? [], {
            time,
            visible,
            owner,
            within: within.has(table.name),
            sessions: request.within?.sessions ? 'temp.only_' : `${sources.get('sessions')?.[0]}.`,
          }),
        );
      fillFound(db, request.found, request.zone);
      fillDuplicates(db, request.duplicates ?? []);
      db.setAuthorizer(onlyReads);
      try {
        const rewritten = withPlainTests(faster.query);
        const query = compiles(db, rewritten) ? rewritten : request.query;
        const plan = db.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
        const lines = plan.map((row: { detail?: unknown }) => String(row.detail));
        toldPlan(lines);
        if (request.explain === true) return { columns: [], computed: [], rows: [], cut: false, plan: lines };
        return { ...readRows(db, request.query, query), plan: lines };
      } catch (error) {
        throw new QueryMistake(runError(errorText(error)));
      } finally {
        db.setAuthorizer(null);
      }
    },
  };
}

/** Whether SQLite can sort in temporary files whose size can be monitored. */
function temporaryFiles(): boolean {
  try {
    accessSync('/dev/fd', constantsOf.R_OK);
    accessSync(process.env.SQLITE_TMPDIR ?? process.env.TMPDIR ?? '/var/tmp', constantsOf.W_OK);
    return true;
  } catch {
    return false;
  }
}

function listTables(db: DatabaseSyncInstance): void {
  const insert = db.prepare('INSERT INTO table_rows VALUES (?, ?, ?, ?)');
  for (const { name, columns } of TABLES)
    for (const [columnName, column] of Object.entries(columns))
      insert.run(name, columnName, column.type, meaningOf(column));
}

const FOUND_ROWS = `CREATE TABLE found_rows (session TEXT, event INTEGER, turn INTEGER, at TEXT, type TEXT, text TEXT,
  PRIMARY KEY (session, event)) WITHOUT ROWID`;

function fillFound(db: DatabaseSyncInstance, found: QueryRequest['found'], zone: string): void {
  db.exec('DELETE FROM found_rows');
  if (found.length === 0) return;
  const time = localTimeText(zone);
  const insert = db.prepare('INSERT OR IGNORE INTO found_rows VALUES (?, ?, ?, ?, ?, ?)');
  db.exec('BEGIN');
  for (const { session, event, turn, ms, type, text } of found)
    insert.run(session, event, turn, time(Math.floor(ms / 1000)), type, text);
  db.exec('COMMIT');
}

function fillDuplicates(db: DatabaseSyncInstance, files: readonly DuplicateFile[]): void {
  db.exec('DELETE FROM duplicate_rows');
  if (files.length === 0) return;
  const rows = inserter(db, 'duplicate_rows', 5);
  db.exec('BEGIN');
  for (const { hash, path, size, copies } of files) rows.add(hash, path, size, copies, inVcs(path) ? 1 : 0);
  rows.end();
  db.exec('COMMIT');
}

/** With more users than this, names are looked up one by one. */
const FEW_OWNERS = 16;

/** SQL for the names of users. A disk has few of them, and a million lookups take a fifth of a second. */
function ownerNames(db: DatabaseSyncInstance): (id: string) => string {
  const owners: readonly { id: number; name: string }[] = db.prepare('SELECT id, name FROM owners').all();
  if (owners.length === 0 || owners.length > FEW_OWNERS)
    return (id) => `(SELECT name FROM main.owners WHERE id = ${id})`;
  const cases = owners.map(({ id, name }) => `WHEN ${id} THEN '${name.replaceAll("'", "''")}'`).join(' ');
  return (id) => `CASE ${id} ${cases} END`;
}

/** A subject that cannot filter rows must not be queried by a caller who may not see all of them. */
function restricted(subject: SqlSubject, schema: string, folders: readonly string[] = []): string {
  if (subject.within === undefined) throw new Error('this subject cannot be limited to folders');
  return subject.within(schema, folders);
}

/** Rewriting must never make a query fail. */
function compiles(db: DatabaseSyncInstance, query: string): boolean {
  try {
    db.prepare(query);
    return true;
  } catch {
    return false;
  }
}

/** The rows of a query, which is run in its faster form. */
function readRows(db: DatabaseSyncInstance, said: string, query: string): Omit<QueryResult, 'plan'> {
  const statement = db.prepare(query);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const described: readonly { name: string; column: string | null }[] = db.prepare(said).columns();
  const columns = described.map(({ name }) => name);
  // A query has already cut what it computes as it likes; texts from a table are cut later.
  const computed = described.map(({ column }) => column === null);
  const rows: Cell[][] = [];
  let bytes = 0;
  for (const values of statement.iterate() as Iterable<readonly unknown[]>) {
    const row = values.map(cellOf);
    for (const cell of row) bytes += typeof cell === 'string' ? cell.length + 8 : 8;
    if (rows.length >= MAX_RESULT_ROWS || bytes > MAX_RESULT_BYTES)
      return { columns, computed, rows, cut: true };
    rows.push(row);
  }
  return { columns, computed, rows, cut: false };
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  return String(value);
}

function runError(message: string): string {
  if (/string or blob too big/.test(message)) return 'A value of this query is larger than 10 MB.';
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
}
