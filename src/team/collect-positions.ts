import { randomUUID } from 'node:crypto';
import type { Fingerprint } from '../sessions/ingest/fingerprint.ts';
import { int, optional, str } from '../sessions/store/session-row.ts';
import type { Migration } from '../store/database.ts';
import { openSqlite } from '../store/sqlite.ts';

/** How much of a log was sent, and what it looked like then. */
export interface Position extends Fingerprint {
  readonly run: string;
  readonly consumed: number;
  /** The last working folder of the session. */
  readonly cwd: string | undefined;
}

/** What a collector must remember: the identity of this machine, and how much of each log was sent. */
export interface Positions {
  readonly machine: string;
  of(path: string): Promise<Position | undefined>;
  save(path: string, position: Position): Promise<void>;
  forget(path: string): Promise<void>;
  close(): Promise<void>;
}

const SCHEMA: readonly Migration[] = [
  {
    id: 1,
    name: 'positions',
    sql: `
CREATE TABLE machine (id TEXT NOT NULL);
CREATE TABLE positions (
  server TEXT NOT NULL,
  path TEXT NOT NULL,
  run TEXT NOT NULL,
  consumed INTEGER NOT NULL,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  head TEXT NOT NULL,
  tail TEXT NOT NULL,
  cwd TEXT,
  PRIMARY KEY (server, path)
) WITHOUT ROWID;
`,
  },
];

/** Opens the positions for one server. If the file is lost, everything is sent again; nothing else happens. */
export async function openPositions(file: string, server: string): Promise<Positions> {
  const db = await openSqlite(file, SCHEMA);
  const known = await db.get('SELECT id FROM machine');
  const machine = optional(known?.id) ?? randomUUID();
  if (known === undefined) await db.run('INSERT INTO machine (id) VALUES (?)', machine);
  return {
    machine,
    async of(path) {
      const row = await db.get('SELECT * FROM positions WHERE server = ? AND path = ?', server, path);
      if (row === undefined) return undefined;
      return {
        run: str(row.run),
        consumed: int(row.consumed),
        size: int(row.size),
        mtime: Number(row.mtime),
        head: str(row.head),
        tail: str(row.tail),
        cwd: optional(row.cwd),
      };
    },
    async save(path, { run, consumed, size, mtime, head, tail, cwd }) {
      await db.run(
        'INSERT OR REPLACE INTO positions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[server, path, run, consumed, size, mtime, head, tail, cwd ?? null],
      );
    },
    async forget(path) {
      await db.run('DELETE FROM positions WHERE server = ? AND path = ?', server, path);
    },
    close: () => db.close(),
  };
}
