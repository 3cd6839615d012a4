import type { Migration } from '../store/database.ts';

/** Tables of the disk subject in `pinhole.db`: what people made, and the list of indexes. */
export const DISK_SCHEMA: readonly Migration[] = [
  {
    id: 300,
    name: 'disk',
    sql: `
      CREATE TABLE disk_indexes (
        id INTEGER PRIMARY KEY AUTOINCREMENT, root TEXT NOT NULL UNIQUE, options TEXT NOT NULL,
        created_at INTEGER NOT NULL, scanned_at INTEGER, verified_at INTEGER, generation INTEGER NOT NULL DEFAULT 0,
        next_id INTEGER NOT NULL DEFAULT 1, files INTEGER, dirs INTEGER, size INTEGER, disk_size INTEGER,
        errors TEXT, files_unchecked INTEGER);
      CREATE TABLE disk_sets (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, index_id INTEGER NOT NULL, kept INTEGER NOT NULL,
        nodes BLOB NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
      CREATE INDEX disk_sets_by_index ON disk_sets (index_id);
      CREATE TABLE disk_set_gone (
        set_id INTEGER NOT NULL, node INTEGER NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL,
        gone_at INTEGER NOT NULL, PRIMARY KEY (set_id, node));
      CREATE TABLE disk_queries (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, filter TEXT NOT NULL, index_id INTEGER,
        set_id INTEGER, mode TEXT NOT NULL, created_at INTEGER NOT NULL, last_run_at INTEGER);
      CREATE TABLE disk_query_runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT, query_id INTEGER NOT NULL, at INTEGER NOT NULL, index_id INTEGER NOT NULL,
        generation INTEGER NOT NULL, set_id INTEGER NOT NULL, matches INTEGER NOT NULL, size INTEGER NOT NULL,
        ms INTEGER NOT NULL);
      CREATE INDEX disk_query_runs_by_query ON disk_query_runs (query_id, id);
      CREATE TABLE disk_plans (
        id INTEGER PRIMARY KEY AUTOINCREMENT, set_id INTEGER NOT NULL, index_id INTEGER NOT NULL, status TEXT NOT NULL,
        plan TEXT NOT NULL, created_at INTEGER NOT NULL, ended_at INTEGER);
      CREATE TABLE disk_moves (
        id INTEGER PRIMARY KEY AUTOINCREMENT, plan_id INTEGER NOT NULL, original TEXT NOT NULL, trashed TEXT NOT NULL,
        dev TEXT NOT NULL, ino TEXT NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL);
      CREATE INDEX disk_moves_by_plan ON disk_moves (plan_id, id);`,
  },
  { id: 301, name: 'disk set paths', sql: 'ALTER TABLE disk_sets ADD COLUMN paths BLOB' },
];
