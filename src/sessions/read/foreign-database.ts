import { closeSync, lstatSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NotOpened, openFile } from '../../contract/open-file.ts';
import type { SqlRow, SqlValue } from '../../store/database.ts';
import { readSqlite } from '../../store/sqlite.ts';

/** Runs a query on another program's database. */
export type Rows = (sql: string, ...params: readonly SqlValue[]) => readonly SqlRow[];

/** Larger databases with an abandoned journal are not copied. */
const MAX_COPIED_BYTES = 512 << 20;
const COPY_BYTES = 1 << 20;
const MAX_TRIES = 3;

/**
 * Reads a SQLite database that another program writes, without changing or locking any of it:
 * - no journal: it is opened as immutable, and read again if the program wrote to it in the meantime;
 * - a journal in use: it is opened read-only, which never makes a writer wait;
 * - a journal left by a crash: opening would create files beside it, so a copy of both is read.
 */
export function readForeign<T>(file: string, look: (rows: Rows) => T): T {
  // Not opened to check: closing the descriptor would release the locks of this process's other connections.
  if (!lstatSync(file).isFile()) throw new NotOpened('kind', file);
  for (let time = 1; ; time++) {
    const before = stampOf(file);
    try {
      const found = before.journal > 0 ? readWithJournal(file, look) : readSqlite(immutable(file), look);
      if (before.journal > 0 || stampOf(file).text === before.text) return found;
    } catch (error) {
      // A change while it was read looks like damage.
      if (time === MAX_TRIES || stampOf(file).text === before.text) throw error;
    }
    if (time === MAX_TRIES) throw new Error('the database keeps changing');
  }
}

function readWithJournal<T>(file: string, look: (rows: Rows) => T): T {
  const used = statSync(`${file}-shm`, { throwIfNoEntry: false }) !== undefined;
  return used ? readSqlite(`${pathToFileURL(file).href}?mode=ro`, look) : readCopy(file, look);
}

function immutable(file: string): string {
  return `${pathToFileURL(file).href}?immutable=1`;
}

function readCopy<T>(file: string, look: (rows: Rows) => T): T {
  if (statSync(file).size > MAX_COPIED_BYTES)
    throw new Error('its program ended without closing it; start that program once');
  const folder = mkdtempSync(join(tmpdir(), 'pinhole-database-'));
  try {
    const copied = join(folder, 'copy.db');
    copy(file, copied);
    copy(`${file}-wal`, `${copied}-wal`);
    return readSqlite(copied, look);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sizes and times of the database and its journal. */
function stampOf(file: string): { readonly text: string; readonly journal: number } {
  const [main, journal] = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false }));
  return {
    text: [main?.size, main?.mtimeMs, journal?.size, journal?.mtimeMs].join(),
    journal: journal?.size ?? 0,
  };
}

function copy(file: string, to: string): void {
  const { fd } = openFile(file, { below: dirname(file) });
  const target = openSync(to, 'w', 0o600);
  try {
    const bytes = Buffer.allocUnsafe(COPY_BYTES);
    for (let position = 0; ; ) {
      const read = readSync(fd, bytes, 0, COPY_BYTES, position);
      if (read === 0) return;
      writeSync(target, bytes, 0, read, position);
      position += read;
    }
  } finally {
    closeSync(target);
    closeSync(fd);
  }
}

/** Names the table or column that a newer or older version lacks, instead of failing with an SQL error. */
export function checkTables(rows: Rows, needed: Readonly<Record<string, readonly string[]>>): void {
  for (const [table, columns] of Object.entries(needed)) {
    const known = new Set(rows(`PRAGMA table_info(${table})`).map((row) => String(row.name)));
    const missing = columns.find((column) => !known.has(column));
    if (known.size === 0) throw new Error(`no table '${table}': the database has another version`);
    if (missing !== undefined)
      throw new Error(`no column '${table}.${missing}': the database has another version`);
  }
}
