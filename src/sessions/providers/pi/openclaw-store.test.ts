import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDesk } from '../../../../test/fixtures/sessions/harness.ts';
import { temporaryFolder } from '../../../../test/support.ts';
import { loadDriver } from '../../../store/sqlite.ts';
import { PROVIDERS } from '../index.ts';

const MAIN = '11111111-1111-4111-8111-111111111111';
const CHILD = '22222222-2222-4222-8222-222222222222';
const EARLIER = '33333333-3333-4333-8333-333333333333';
const AT = '2026-11-16T10:00:00.000Z';

/** A zstd frame with one block that is not compressed. */
function zstdFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const block = (bytes.length << 3) | 1;
  const head = [0x28, 0xb5, 0x2f, 0xfd, 0x60, (bytes.length - 256) & 255, (bytes.length - 256) >> 8];
  return Buffer.concat([Buffer.from([...head, block & 255, (block >> 8) & 255, block >> 16]), bytes]);
}

function database(home: string, statements: string) {
  const file = join(home, '.openclaw/agents/main/agent/openclaw-agent.sqlite');
  mkdirSync(dirname(file), { recursive: true });
  const db = new (loadDriver())(file);
  db.exec(statements);
  onTestFinished(() => db.close());
  return db;
}

const TABLES = `CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, spawned_by TEXT,
    fork_source_session_id TEXT, label TEXT, display_name TEXT);
  CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, event_zstd BLOB,
    PRIMARY KEY (session_id, seq));`;

const header = (id: string) =>
  JSON.stringify({ type: 'session', version: 4, id, timestamp: AT, cwd: '/srv/app' });
const prompt = (id: string, content: string) =>
  JSON.stringify({ type: 'message', id, parentId: null, timestamp: AT, message: { role: 'user', content } });

async function open(home: string) {
  const desk = await openDesk({ home, folders: undefined, providers: [...PROVIDERS] });
  onTestFinished(() => desk.close(true));
  return desk;
}

test('packed rows, the name of a session, and the session that started another one', async () => {
  const home = temporaryFolder();
  const db = database(home, TABLES);
  const insert = db.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?)');
  insert.run(MAIN, 0, header(MAIN), 1, null);
  insert.run(MAIN, 1, null, 2, zstdFrame(prompt('p1', `Look at src. ${'Twice. '.repeat(60)}`)));
  insert.run(CHILD, 0, header(CHILD), 3, null);
  insert.run(CHILD, 1, prompt('p2', 'Look.'), 4, null);
  db.exec(`INSERT INTO session_nodes VALUES ('agent:main:main', '${MAIN}', NULL, NULL, 'Housekeeping', NULL),
    ('agent:main:subagent:1', '${CHILD}', 'agent:main:main', NULL, NULL, NULL)`);
  const desk = await open(home);
  const main = await desk.sessions.list.find(MAIN);
  expect(main).toMatchObject({ provider: 'openclaw', title: 'Housekeeping', cwd: '/srv/app', turns: 1 });
  const { turns } = (await desk.ask('get_session_turns', { session_id: MAIN })).data;
  expect(turns[0].user_message).toMatch(/^Look at src. Twice. /);
  expect(await desk.sessions.list.find(CHILD)).toMatchObject({ parentId: MAIN, relation: 'subagent' });
});

test('sessions from before 2026.7.2 are lines, beside a database without conversations', async () => {
  const home = temporaryFolder();
  database(home, 'CREATE TABLE auth_profiles (id TEXT)');
  const file = join(home, `.openclaw/agents/main/sessions/${EARLIER}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${header(EARLIER)}\n${prompt('p1', 'Hello.')}\n`);
  const desk = await open(home);
  expect(await desk.sessions.list.find(EARLIER)).toMatchObject({ provider: 'openclaw', turns: 1 });
  expect(desk.sessions.reading.unreadable()).toEqual([]);
});

test('a database with other tables than these is named', async () => {
  const home = temporaryFolder();
  database(home, 'CREATE TABLE session_nodes (session_key TEXT)');
  const desk = await open(home);
  expect(desk.sessions.reading.unreadable()).toMatchObject([
    { reason: expect.stringContaining("no table 'transcript_events'") },
  ]);
});
