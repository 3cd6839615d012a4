import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Desk, openDesk } from '../../../../test/fixtures/sessions/harness.ts';
import { temporaryFolder } from '../../../../test/support.ts';
import { loadDriver } from '../../../store/sqlite.ts';
import { PROVIDERS } from '../index.ts';

const SESSION = 'ses_0123456789abcdefghijklmn';
const START = Date.UTC(2026, 2, 1, 10);

/** A database as the client has it while it runs: with a journal. */
function clientDatabase(home: string) {
  const folder = join(home, '.local/share/opencode');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'opencode.db');
  const db = new (loadDriver())(file);
  onTestFinished(() => {
    try {
      db.close();
    } catch {
      // The test closed it.
    }
  });
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
    CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT,
      time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER,
      time_updated INTEGER, data TEXT);
    INSERT INTO session VALUES ('${SESSION}', NULL, '/srv/app', 'New session - 2026', '1.18.33', ${START}, ${START})`);
  let clock = START;
  return {
    file,
    db,
    message(id: string, data: object) {
      clock += 1000;
      db.prepare(
        'INSERT INTO message VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated',
      ).run(id, SESSION, clock, clock, JSON.stringify(data));
    },
    part(id: string, message: string, data: object) {
      clock += 1000;
      db.prepare(
        'INSERT INTO part VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated',
      ).run(id, message, SESSION, clock, clock, JSON.stringify(data));
    },
  };
}

async function open(home: string): Promise<Desk> {
  const desk = await openDesk({ home, folders: undefined, providers: [...PROVIDERS] });
  onTestFinished(() => desk.close(true));
  return desk;
}

const events = async (desk: Desk) => {
  const session = await desk.sessions.list.find(SESSION);
  const found = await desk.sessions.events.range(session, 0, session.events);
  return found.map(({ index, label, type, name }) => [index, label, type, name ?? ''].join(' ').trim());
};

const tool = (callID: string, status: string, output?: string) => ({
  type: 'tool',
  tool: 'bash',
  callID,
  state: {
    status,
    input: { command: 'make' },
    output,
    metadata: { exit: output === undefined ? undefined : 2 },
  },
});

test('a call is seen while it runs, its answer when the response has ended; numbers never change', async () => {
  const home = temporaryFolder();
  const client = clientDatabase(home);
  client.message('msg_1', { role: 'user', time: { created: START } });
  client.part('prt_1', 'msg_1', { type: 'text', text: 'build it' });
  client.message('msg_2', { role: 'assistant', time: { created: START + 1 }, modelID: 'm' });
  client.part('prt_2', 'msg_2', { type: 'text', text: 'hal', time: { start: 1 } });
  const desk = await open(home);
  expect(await events(desk)).toEqual(['0 session notification', '1 prompt user']);

  client.part('prt_2', 'msg_2', { type: 'text', text: 'half and the rest', time: { start: 1, end: 2 } });
  client.part('prt_3', 'msg_2', tool('c1', 'pending'));
  await desk.sessions.reading.refresh();
  expect((await events(desk)).at(-1)).toBe('2 part/text message');

  client.part('prt_3', 'msg_2', tool('c1', 'running'));
  await desk.sessions.reading.refresh();
  const running = await events(desk);
  expect(running.at(-1)).toBe('3 part/tool tool_call bash');
  const { steps } = (await desk.ask('get_turn_steps', { session_id: SESSION, turn_index: 0 })).data;
  expect(steps[0].tools).toMatchObject([{ name: 'bash', status: 'pending' }]);

  client.part('prt_3', 'msg_2', tool('c1', 'completed', 'no rule'));
  client.message('msg_2', {
    role: 'assistant',
    time: { created: START + 1, completed: START + 9 },
    modelID: 'm',
  });
  await desk.sessions.reading.refresh();
  expect(await events(desk)).toEqual([...running, '4 done tool_result bash']);
  const ended = (await desk.ask('get_turn_steps', { session_id: SESSION, turn_index: 0 })).data;
  expect(ended.steps[0].tools).toMatchObject([{ status: 'failed', result: 'no rule' }]);
});

test('reading changes no byte and no name in the folder of the client', async () => {
  const home = temporaryFolder();
  const client = clientDatabase(home);
  client.message('msg_1', { role: 'user', time: { created: START } });
  client.part('prt_1', 'msg_1', { type: 'text', text: 'hello' });
  const folder = join(home, '.local/share/opencode');
  const state = () =>
    readdirSync(folder)
      .filter((name) => !name.endsWith('-shm'))
      .map((name) => [
        name,
        createHash('sha1')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]);
  const before = state();
  const desk = await open(home);
  expect((await desk.ask('list_sessions', {})).data.sessions).toHaveLength(1);
  expect(state()).toEqual(before);
  // Nothing keeps the client from writing, even while it has the database to itself.
  client.db.exec('BEGIN EXCLUSIVE');
  client.part('prt_2', 'msg_1', { type: 'text', text: 'unseen' });
  await desk.sessions.reading.refresh();
  expect(desk.sessions.reading.unreadable()).toEqual([]);
  client.db.exec('COMMIT');
});

test('another schema, and a file that lost its end: a line of the doctor, sessions stay', async () => {
  const home = temporaryFolder();
  const client = clientDatabase(home);
  client.message('msg_1', { role: 'user', time: { created: START } });
  client.part('prt_1', 'msg_1', { type: 'text', text: 'hello' });
  const desk = await open(home);
  client.db.exec('ALTER TABLE part RENAME TO piece');
  await desk.sessions.reading.refresh();
  expect(desk.sessions.reading.unreadable()).toEqual([
    { path: client.file, reason: "no table 'part': the database has another version" },
  ]);
  expect((await desk.ask('list_sessions', {})).data.sessions).toHaveLength(1);
  client.db.exec('ALTER TABLE piece RENAME TO part; PRAGMA wal_checkpoint(TRUNCATE)');
  client.db.close();
  truncateSync(client.file, 5_000);
  await desk.sessions.reading.refresh();
  expect(desk.sessions.reading.unreadable()).toMatchObject([{ path: client.file }]);
  expect((await desk.ask('list_sessions', {})).data.sessions).toHaveLength(1);
});

test('messages that the client takes back are gone, and the session is read again', async () => {
  const home = temporaryFolder();
  const client = clientDatabase(home);
  for (const n of [1, 2, 3]) {
    client.message(`msg_${n}`, { role: 'user', time: { created: START + n } });
    client.part(`prt_${n}`, `msg_${n}`, { type: 'text', text: `prompt ${n}` });
  }
  const desk = await open(home);
  expect(await events(desk)).toHaveLength(4);
  client.db.exec("DELETE FROM message WHERE id = 'msg_3'; DELETE FROM part WHERE message_id = 'msg_3'");
  await desk.sessions.reading.refresh();
  expect(await events(desk)).toHaveLength(3);
});
