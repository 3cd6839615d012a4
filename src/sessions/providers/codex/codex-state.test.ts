import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../../../test/fixtures/sessions/harness.ts';
import { codex, lines, writeLog } from '../../../../test/fixtures/sessions/logs.ts';
import { loadDriver } from '../../../store/sqlite.ts';

const PARENT = 'eeeeeeee-5555-7555-8555-555555555555';
const CHILD = 'ffffffff-6666-7666-8666-666666666666';

let desk: Desk;
afterEach(() => desk.close());

/** Two threads as Codex logs them, of which neither knows a name or the other. */
async function openThreads(): Promise<string> {
  desk = await openDesk();
  for (const id of [PARENT, CHILD]) {
    writeLog(
      join(desk.folders.codex, `2026/03/01/rollout-2026-03-01T10-00-00-${id}.jsonl`),
      lines([codex.meta(id), codex.user('please look at the parser'), codex.said('yes')]),
    );
  }
  return join(desk.folders.codex, '../state_5.sqlite');
}

/** The client's database, as it is while the client runs: what was written last stands in the journal. */
function stateDatabase(path: string, columns: string, rows: readonly (readonly string[])[], edges: boolean) {
  const database = new (loadDriver())(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
  database.exec(`CREATE TABLE threads (id TEXT PRIMARY KEY, ${columns})`);
  for (const row of rows) {
    database.prepare(`INSERT INTO threads VALUES (${row.map(() => '?').join()})`).run(...row);
  }
  if (edges) {
    database.exec(
      'CREATE TABLE thread_spawn_edges (parent_thread_id TEXT, child_thread_id TEXT, status TEXT)',
    );
    database.prepare('INSERT INTO thread_spawn_edges VALUES (?, ?, ?)').run(PARENT, CHILD, 'open');
  }
  return database;
}

const summary = async (session_id: string) => (await desk.ask('get_session_summary', { session_id })).data;

test('names and parents of threads, while the client has its database open', async () => {
  const rows = [
    [PARENT, 'Parser, once more', 'please look at the parser'],
    [CHILD, 'please look at', 'please look at the parser'],
  ];
  const database = stateDatabase(await openThreads(), 'title TEXT, first_user_message TEXT', rows, true);
  try {
    await desk.sessions.reading.refresh();
    expect((await summary(PARENT)).title).toBe('Parser, once more');
    expect((await summary(CHILD)).title).toBeUndefined();
    expect((await summary(CHILD)).parent).toEqual({ id: 'eeeeeeee', relation: 'subagent' });
    expect((await desk.ask('list_sessions', {})).data.sessions).toHaveLength(1);
    database.prepare('UPDATE threads SET title = ? WHERE id = ?').run('AKIAIOSFODNN7EXAMPLZ', PARENT);
    await desk.sessions.reading.refresh();
    expect((await summary(PARENT)).title).toMatch(/^\[redacted:/);
  } finally {
    database.close();
  }
});

test('another version of the database, with fewer tables', async () => {
  stateDatabase(await openThreads(), 'name TEXT', [[PARENT, 'the parser']], false).close();
  await desk.sessions.reading.refresh();
  expect((await summary(PARENT)).title).toBe('the parser');
  expect((await summary(CHILD)).parent).toBeUndefined();
});

test('one that is no database costs nothing but a line of the doctor', async () => {
  const path = await openThreads();
  writeFileSync(path, 'this is no database, however long one looks at it\n'.repeat(100));
  await desk.sessions.reading.refresh();
  expect((await desk.ask('list_sessions', {})).data.sessions).toHaveLength(2);
  const { unreadable } = (await desk.ask('sessions_doctor', {})).data;
  expect(unreadable).toEqual([{ path, reason: expect.stringContaining('not a database') }]);
  expect(await desk.text('sessions_doctor', {})).toContain(`cannot read ${path}`);
  rmSync(path);
  await desk.sessions.reading.refresh();
  expect((await desk.ask('sessions_doctor', {})).data.unreadable).toEqual([]);
});
