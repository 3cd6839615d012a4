import type { Migration } from '../store/database.ts';

/**
 * Commits and the sessions they come from. It can be deleted: it is rebuilt from the repositories and the logs. Lines
 * are stored as hashes. A changed schema gets a new number instead of a migration.
 */
export const COMMITS_SCHEMA: readonly Migration[] = [
  {
    id: 5,
    name: 'commits',
    sql: `
CREATE TABLE repositories (
  id INTEGER PRIMARY KEY,
  root TEXT NOT NULL UNIQUE,
  since_ms INTEGER NOT NULL,
  refs TEXT NOT NULL,
  unlinked_ms INTEGER
);
CREATE TABLE commits (
  id INTEGER PRIMARY KEY,
  repository INTEGER NOT NULL,
  hash TEXT NOT NULL,
  author TEXT NOT NULL,
  email TEXT NOT NULL,
  authored_ms INTEGER NOT NULL,
  committed_ms INTEGER NOT NULL,
  subject TEXT NOT NULL,
  checkpoints TEXT NOT NULL,
  noted TEXT NOT NULL,
  UNIQUE (repository, hash)
);
CREATE INDEX commits_hash ON commits (hash);
CREATE INDEX commits_authored ON commits (repository, authored_ms);
CREATE TABLE commit_files (
  "commit" INTEGER NOT NULL,
  path TEXT NOT NULL,
  added INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  added_lines BLOB NOT NULL,
  removed_lines BLOB NOT NULL,
  PRIMARY KEY ("commit", path)
) WITHOUT ROWID;
CREATE INDEX commit_files_path ON commit_files (path);
CREATE TABLE links (
  "commit" INTEGER NOT NULL,
  session TEXT NOT NULL,
  certainty TEXT NOT NULL,
  lines INTEGER NOT NULL,
  of_lines INTEGER NOT NULL,
  written INTEGER NOT NULL,
  of_written INTEGER NOT NULL,
  reasons TEXT NOT NULL,
  PRIMARY KEY ("commit", session)
) WITHOUT ROWID;
CREATE INDEX links_session ON links (session);
CREATE TABLE edited_sessions (
  session TEXT PRIMARY KEY,
  main TEXT NOT NULL,
  events INTEGER NOT NULL,
  person TEXT NOT NULL,
  start_ms INTEGER NOT NULL,
  end_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE edits (
  session TEXT NOT NULL,
  event INTEGER NOT NULL,
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  ms INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  step INTEGER NOT NULL,
  "commit" INTEGER,
  whole INTEGER NOT NULL,
  added_lines BLOB NOT NULL,
  removed_lines BLOB NOT NULL,
  PRIMARY KEY (session, event, path)
) WITHOUT ROWID;
CREATE INDEX edits_ms ON edits (ms);
CREATE INDEX edits_name ON edits (name);
CREATE INDEX edits_commit ON edits ("commit") WHERE "commit" IS NOT NULL;
CREATE TABLE said_commits (
  session TEXT NOT NULL,
  ms INTEGER NOT NULL,
  hash TEXT NOT NULL,
  subject TEXT NOT NULL
);
CREATE INDEX said_commits_session ON said_commits (session);
`,
  },
];
