import type { Migration } from './database.ts';

/** Tables in `pinhole.db` that belong to no subject. Subjects add their own steps, from 100 on. */
export const APP_SCHEMA: readonly Migration[] = [
  {
    id: 1,
    name: 'app',
    sql: `
      CREATE TABLE cursors (
        id TEXT PRIMARY KEY, operation TEXT NOT NULL, input TEXT NOT NULL, position TEXT NOT NULL,
        created_at INTEGER NOT NULL, version INTEGER NOT NULL);
      CREATE INDEX cursors_by_age ON cursors (created_at);
      CREATE TABLE audit (
        id INTEGER PRIMARY KEY, at INTEGER NOT NULL, client TEXT NOT NULL, door TEXT NOT NULL,
        operation TEXT NOT NULL, bytes_in INTEGER NOT NULL, bytes_out INTEGER NOT NULL, tokens INTEGER NOT NULL,
        ms INTEGER NOT NULL, outcome TEXT NOT NULL, paged INTEGER NOT NULL);
      CREATE INDEX audit_by_time ON audit (at);
      CREATE TABLE allowed (path TEXT PRIMARY KEY, added_at INTEGER NOT NULL);
      CREATE TABLE jobs (
        id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, key TEXT NOT NULL, params TEXT NOT NULL,
        status TEXT NOT NULL, progress TEXT, created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER,
        report TEXT, error TEXT);
      CREATE INDEX jobs_by_status ON jobs (status);
      CREATE TABLE shells (
        id INTEGER PRIMARY KEY AUTOINCREMENT, cwd TEXT NOT NULL, units TEXT, row_limit INTEGER, sort TEXT,
        created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL);
      CREATE INDEX shells_by_cwd ON shells (cwd);`,
  },
  {
    id: 2,
    // Neither column is used any longer.
    name: 'audit of callers and repeated questions',
    sql: `
      ALTER TABLE audit ADD COLUMN caller TEXT NOT NULL DEFAULT '';
      ALTER TABLE audit ADD COLUMN repeated INTEGER NOT NULL DEFAULT 0;`,
  },
  {
    id: 3,
    name: 'how often a job was under way when the process died',
    sql: 'ALTER TABLE jobs ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;',
  },
];
