import type { Migration } from '../../store/database.ts';

/**
 * What was said in sessions, as vectors and hashed words, without any text. It can be deleted: it is rebuilt from the
 * index of sessions. A changed schema gets a new number instead of a migration.
 */
export const MEANING_SCHEMA: readonly Migration[] = [
  {
    id: 1,
    name: 'meanings',
    sql: `
CREATE TABLE read_sessions (
  session TEXT PRIMARY KEY,
  events INTEGER NOT NULL,
  model TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE passages (
  session TEXT NOT NULL,
  event INTEGER NOT NULL,
  part INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  words BLOB NOT NULL,
  vector BLOB NOT NULL,
  factor REAL NOT NULL,
  PRIMARY KEY (session, event, part)
) WITHOUT ROWID;
CREATE INDEX passages_ms ON passages (ms);
`,
  },
];
