import type { Migration } from '../../store/database.ts';

/**
 * The index of sessions. It can be deleted, because it is built from the agents' logs. All text in it is redacted.
 * `grams` has hashed trigrams of each block of text (search/trigrams.ts) and nothing readable. Texts are not in
 * `blocks`, so that scanning blocks costs only a few bytes each.
 *
 * `usage_slots` has totals of the owned rows of `usage` (tokens/usage-slots.ts).
 *
 * A changed schema gets a new number instead of a migration: an index with another number is rebuilt from the logs.
 */
export const SESSIONS_SCHEMA: readonly Migration[] = [
  {
    id: 18,
    name: 'sessions',
    sql: `
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  provider TEXT NOT NULL,
  session INTEGER,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  consumed INTEGER NOT NULL,
  head TEXT NOT NULL,
  tail TEXT NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0,
  missing INTEGER NOT NULL DEFAULT 0,
  kept INTEGER NOT NULL DEFAULT 0,
  kept_packed INTEGER NOT NULL DEFAULT 0,
  kept_at TEXT
);
CREATE INDEX files_session ON files (session);
CREATE TABLE deleted_logs (
  session TEXT PRIMARY KEY,
  provider TEXT NOT NULL,
  project_path TEXT,
  end_ms INTEGER NOT NULL,
  noticed_ms INTEGER NOT NULL,
  kept INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  short TEXT NOT NULL DEFAULT '',
  copy_of TEXT,
  provider TEXT NOT NULL,
  machine TEXT,
  person TEXT,
  project_hash TEXT,
  project_path TEXT,
  cwd TEXT,
  branch TEXT,
  version TEXT,
  model TEXT,
  title TEXT,
  agent_name TEXT,
  parent_id TEXT,
  relation TEXT,
  spawn_call TEXT,
  start_ms INTEGER NOT NULL,
  end_ms INTEGER NOT NULL,
  snippet TEXT NOT NULL,
  last_prompt TEXT NOT NULL DEFAULT '',
  last_message TEXT NOT NULL,
  turns INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  events INTEGER NOT NULL,
  tool_calls INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  rejected INTEGER NOT NULL DEFAULT 0,
  interrupted INTEGER NOT NULL DEFAULT 0,
  compactions INTEGER NOT NULL,
  bad_lines INTEGER NOT NULL,
  unknown_records INTEGER NOT NULL,
  context_tokens INTEGER NOT NULL,
  context_window INTEGER,
  total_tokens INTEGER NOT NULL DEFAULT 0,
  blind_replay INTEGER NOT NULL DEFAULT 0,
  client_usage TEXT,
  analysed TEXT NOT NULL DEFAULT '',
  score INTEGER,
  state TEXT NOT NULL
);
CREATE INDEX sessions_short ON sessions (short);
CREATE INDEX sessions_copies ON sessions (copy_of) WHERE copy_of IS NOT NULL;
CREATE INDEX sessions_start ON sessions (start_ms, key);
CREATE INDEX sessions_project ON sessions (project_hash, start_ms);
CREATE INDEX sessions_parent ON sessions (parent_id);
CREATE TABLE events (
  session INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  type INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  label INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  step INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  pos INTEGER NOT NULL,
  length INTEGER NOT NULL,
  part INTEGER NOT NULL,
  name TEXT,
  call INTEGER NOT NULL,
  status TEXT,
  exit_code INTEGER,
  bytes INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  PRIMARY KEY (session, idx)
) WITHOUT ROWID;
CREATE TABLE labels (id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);
CREATE TABLE turns (
  session INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  event INTEGER NOT NULL,
  start_ms INTEGER NOT NULL,
  end_ms INTEGER NOT NULL,
  prompt TEXT NOT NULL,
  outcome TEXT NOT NULL,
  steps INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  tools TEXT NOT NULL,
  actions TEXT NOT NULL,
  compactions INTEGER NOT NULL,
  rewound INTEGER NOT NULL,
  inherited INTEGER NOT NULL,
  reply TEXT NOT NULL,
  reply_event INTEGER NOT NULL,
  PRIMARY KEY (session, idx)
) WITHOUT ROWID;
CREATE TABLE tools (
  session INTEGER NOT NULL,
  call INTEGER NOT NULL,
  result INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  step INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  exit_code INTEGER,
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER NOT NULL,
  duration_ms INTEGER,
  digest INTEGER NOT NULL,
  action TEXT NOT NULL,
  agent_id TEXT,
  agent_calls INTEGER,
  call_id TEXT,
  sidechain INTEGER NOT NULL,
  target TEXT,
  command TEXT,
  program TEXT,
  agent_type TEXT,
  file TEXT,
  repo_path TEXT,
  error TEXT,
  error_class TEXT,
  check_kind TEXT,
  check_failed INTEGER,
  result_bytes INTEGER NOT NULL,
  PRIMARY KEY (session, call)
) WITHOUT ROWID;
CREATE TABLE failures (
  session INTEGER NOT NULL,
  call INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  runner TEXT,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  path TEXT,
  line INTEGER,
  message TEXT,
  PRIMARY KEY (session, call, idx)
) WITHOUT ROWID;
CREATE TABLE said_commits (
  session INTEGER NOT NULL,
  call INTEGER NOT NULL,
  hash TEXT NOT NULL,
  subject TEXT NOT NULL,
  PRIMARY KEY (session, call, hash)
) WITHOUT ROWID;
CREATE TABLE compactions (
  session INTEGER NOT NULL,
  event INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (session, event)
) WITHOUT ROWID;
CREATE TABLE commands (
  session INTEGER NOT NULL,
  call INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  command TEXT NOT NULL,
  program TEXT,
  status TEXT,
  PRIMARY KEY (session, call, idx)
) WITHOUT ROWID;
CREATE INDEX tools_agent ON tools (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX tools_call_id ON tools (call_id) WHERE call_id IS NOT NULL;
CREATE TABLE touches (
  path TEXT NOT NULL,
  session INTEGER NOT NULL,
  event INTEGER NOT NULL,
  action TEXT NOT NULL,
  turn INTEGER NOT NULL,
  step INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  added INTEGER,
  removed INTEGER,
  repo TEXT,
  repo_path TEXT NOT NULL,
  PRIMARY KEY (path, session, event)
) WITHOUT ROWID;
CREATE INDEX touches_session ON touches (session);
CREATE TABLE usage (
  session INTEGER NOT NULL,
  response TEXT NOT NULL,
  event INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  step INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  model TEXT,
  input INTEGER NOT NULL,
  cached INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  cache_write_hour INTEGER NOT NULL,
  output INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  tool INTEGER NOT NULL,
  lower_bound INTEGER NOT NULL,
  relayed INTEGER NOT NULL DEFAULT 0,
  owned INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (session, response)
) WITHOUT ROWID;
CREATE INDEX usage_response ON usage (response);
CREATE TABLE usage_slots (
  session INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  model TEXT,
  prompt INTEGER NOT NULL,
  input INTEGER NOT NULL,
  cached INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  cache_write_hour INTEGER NOT NULL,
  output INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  tool INTEGER NOT NULL,
  responses INTEGER NOT NULL,
  lower_bounds INTEGER NOT NULL
);
CREATE INDEX usage_slots_session ON usage_slots (session);
CREATE TABLE findings (
  session INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  step INTEGER,
  event INTEGER,
  kind TEXT NOT NULL,
  severity TEXT NOT NULL,
  message TEXT NOT NULL
);
CREATE INDEX findings_session ON findings (session);
CREATE TABLE unknown (
  session INTEGER NOT NULL,
  label TEXT NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (session, label)
) WITHOUT ROWID;
CREATE TABLE blocks (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  first_event INTEGER NOT NULL,
  last_event INTEGER NOT NULL,
  min_ms INTEGER NOT NULL,
  max_ms INTEGER NOT NULL,
  size INTEGER NOT NULL,
  unfinished INTEGER NOT NULL
);
CREATE INDEX blocks_session ON blocks (session, first_event);
CREATE INDEX blocks_newest ON blocks (max_ms, id, session, min_ms);
CREATE TABLE bodies (block INTEGER PRIMARY KEY, marks TEXT NOT NULL, body BLOB NOT NULL);
CREATE VIRTUAL TABLE grams USING fts5(codes, content='', contentless_delete=1, detail=none, tokenize='ascii');
`,
  },
];
