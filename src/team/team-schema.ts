import type { Migration } from '../store/database.ts';
import { SIGN_INS_TABLE } from './access/sign-ins.ts';
import { MARKS_TABLE } from './team-marks.ts';
import { MEANINGS_TABLES } from './team-passages.ts';

/**
 * What collectors sent, and who may read it. Unlike the index of sessions, this cannot be rebuilt: the logs may be
 * gone. After a release, steps are only added.
 *
 * Logs are numbered by the month in which they first arrived and then in order (202611 000000042), and the key of a
 * session is the number of its log. So everything of a session is in the partition of one month, the primary keys
 * contain the partition key, and a month can be dropped as a whole.
 */
export const TEAM_SCHEMA: readonly Migration[] = [
  {
    id: 1,
    name: 'logs of machines',
    sql: `
CREATE TABLE machines (
  id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  version TEXT COLLATE "C" NOT NULL,
  seen_ms BIGINT NOT NULL,
  clock_ms BIGINT NOT NULL
);
CREATE TABLE people (name TEXT COLLATE "C" PRIMARY KEY, seen_ms BIGINT NOT NULL);
CREATE TABLE projects (name TEXT COLLATE "C" PRIMARY KEY, seen_ms BIGINT NOT NULL);
CREATE SEQUENCE log_numbers;
CREATE TABLE logs (
  id BIGINT PRIMARY KEY DEFAULT to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')::bigint * 1000000000 + nextval('log_numbers'),
  machine TEXT COLLATE "C" NOT NULL REFERENCES machines,
  path TEXT COLLATE "C" NOT NULL,
  provider TEXT COLLATE "C" NOT NULL,
  person TEXT COLLATE "C" NOT NULL,
  project TEXT COLLATE "C",
  root TEXT COLLATE "C",
  place TEXT NOT NULL,
  run TEXT COLLATE "C" NOT NULL,
  consumed BIGINT NOT NULL,
  records BIGINT NOT NULL,
  received_ms BIGINT NOT NULL,
  derived BIGINT NOT NULL,
  UNIQUE (machine, path)
);
CREATE TABLE lines (
  log BIGINT NOT NULL,
  pos BIGINT NOT NULL,
  length BIGINT NOT NULL,
  body TEXT NOT NULL,
  spilled TEXT,
  too_long BIGINT NOT NULL,
  PRIMARY KEY (log, pos)
) PARTITION BY RANGE (log);
CREATE FUNCTION session_key() RETURNS BIGINT LANGUAGE sql
  AS $$ SELECT current_setting('pinhole.log')::bigint $$;
`,
  },
  {
    id: 2,
    name: 'tokens',
    sql: `
CREATE TABLE tokens (
  name TEXT COLLATE "C" PRIMARY KEY,
  hash TEXT COLLATE "C" NOT NULL UNIQUE,
  scopes TEXT COLLATE "C" NOT NULL,
  projects TEXT,
  created_ms BIGINT NOT NULL,
  used_ms BIGINT,
  revoked_ms BIGINT
);
`,
  },
  {
    id: 10,
    name: 'cursors, audit and jobs of all nodes',
    sql: `
CREATE TABLE cursors (
  id TEXT COLLATE "C" PRIMARY KEY,
  operation TEXT NOT NULL,
  input TEXT NOT NULL,
  position TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  version BIGINT NOT NULL
);
CREATE INDEX cursors_by_age ON cursors (created_at);
CREATE TABLE audit (
  id BIGSERIAL PRIMARY KEY,
  at BIGINT NOT NULL,
  client TEXT NOT NULL,
  door TEXT NOT NULL,
  operation TEXT COLLATE "C" NOT NULL,
  bytes_in BIGINT NOT NULL,
  bytes_out BIGINT NOT NULL,
  tokens BIGINT NOT NULL,
  ms BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  paged BIGINT NOT NULL
);
CREATE INDEX audit_by_time ON audit (at);
CREATE TABLE jobs (
  id BIGSERIAL PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  params TEXT NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  progress TEXT,
  created_at BIGINT NOT NULL,
  started_at BIGINT,
  ended_at BIGINT,
  report TEXT,
  error TEXT,
  deaths BIGINT NOT NULL DEFAULT 0
);
-- So that nobody takes them for jobs of one node.
ALTER SEQUENCE jobs_id_seq RESTART WITH 1000000001;
CREATE UNIQUE INDEX jobs_under_way ON jobs (kind, key) WHERE status IN ('queued', 'running');
CREATE TABLE settings (name TEXT COLLATE "C" PRIMARY KEY, value TEXT NOT NULL);
`,
  },
  { id: 20, name: 'sign-ins', sql: SIGN_INS_TABLE },
  { id: 30, name: 'meanings of sessions', sql: MEANINGS_TABLES },
  { id: 31, name: 'stars and notes', sql: MARKS_TABLE },
];

/** Tables that are partitioned by month. */
export const BY_MONTH = ['lines', 'events', 'event_texts'] as const;

/** Log numbers are a month times this, plus a counter. */
export const MONTH = 1_000_000_000;

/** The schema of the index of sessions, translated for PostgreSQL. */
export function indexForPostgres(sql: string): string {
  return sql
    .replace(
      /CREATE VIRTUAL TABLE grams[^;]*;/,
      'CREATE TABLE grams (rowid BIGINT PRIMARY KEY, codes TSVECTOR NOT NULL);\nCREATE INDEX grams_codes ON grams USING gin (codes);',
    )
    .replace(/\bkey INTEGER PRIMARY KEY/, 'key BIGINT PRIMARY KEY DEFAULT session_key()')
    .replace(/\b(id|block) INTEGER PRIMARY KEY/g, '$1 BIGSERIAL PRIMARY KEY')
    .replace(/(CREATE TABLE events \([^;]*\)) WITHOUT ROWID;/, '$1 PARTITION BY RANGE (session);')
    .replaceAll(' WITHOUT ROWID', '')
    .replace(/\bINTEGER\b/g, 'BIGINT')
    .replace(/\bREAL\b/g, 'DOUBLE PRECISION')
    .replace(/\bBLOB\b/g, 'BYTEA')
    .replace(/\bTEXT\b/g, 'TEXT COLLATE "C"');
}

/** The tables that a schema creates. */
export function tablesIn(sql: string): readonly string[] {
  return [...sql.matchAll(/CREATE (?:VIRTUAL )?TABLE (\w+)/g)].map(([, name = '']) => name);
}
