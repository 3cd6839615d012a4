import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { type Desk, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { call, claude, gemini, lines, text, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { keptFiles, keptPath } from './keep-logs.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const B = 'bbbbbbbb-2222-4222-8222-222222222222';
const SECRET = `ghp_${'a1B2'.repeat(9)}`;

let desk: Desk;
afterEach(() => desk.close());

const claudeLog = (id: string) => join(desk.folders.claude, '-srv-app', `${id}.jsonl`);
const copyOf = (path: string) => keptPath(join(desk.home, 'data/archive'), path);

/** Every event of a session as the log has it, redacted. */
async function rawTexts(id: string): Promise<readonly string[]> {
  const session = await desk.sessions.list.find(id);
  const texts: string[] = [];
  for (let event_index = 0; event_index < session.events; event_index++) {
    const { data } = await desk.ask('get_event_details', { session_id: id, event_index, raw: true });
    texts.push(data.text);
  }
  return texts;
}

/** A session with a large output in a file of its own, a secret, and a subagent. */
function writeSession() {
  const log = claude({ id: A });
  const folder = join(desk.folders.claude, '-srv-app');
  const spilled = `<persisted-output>\nOutput too large. Full output saved to: ${folder}/${A}/tool-results/t1.txt\n\nPreview:\nabc\n</persisted-output>`;
  const path = writeLog(
    claudeLog(A),
    lines([
      log.prompt(`keep me, with ${SECRET}`),
      log.answer('msg_1', call('t1', 'Bash', { command: 'make' })),
      log.result('t1', spilled),
      log.answer('msg_2', call('t2', 'Task', { prompt: 'dig' })),
    ]),
  );
  writeLog(join(folder, A, 'tool-results/t1.txt'), 'the whole of a large output');
  const agent = claude({ id: A, extra: { isSidechain: true, agentId: 'abc123' } });
  writeLog(join(folder, A, 'subagents/agent-abc123.jsonl'), lines([agent.prompt('dig')]));
  writeLog(join(folder, A, 'subagents/agent-abc123.meta.json'), '{"agentType":"digger","toolUseId":"t2"}');
  return { log, path, folder };
}

test('what a client deletes stays readable to the last byte if asked for, also after the index is rebuilt', async () => {
  desk = await openDesk();
  const { log, path, folder } = writeSession();
  await desk.sessions.reading.refresh();
  expect((await desk.ask('sessions_archive', {})).data).toMatchObject({
    on: false,
    logs: 0,
    would_take: { logs: 2 },
  });
  expect(
    (await desk.ask('sessions_archive', { keep: 'on', unredacted: true }, { door: 'cli' })).data,
  ).toMatchObject({
    on: true,
    logs: 2,
    only_here: 0,
  });
  appendFileSync(path, lines([log.answer('msg_3', text('and more'))]));
  await desk.sessions.reading.refresh();
  const before = await rawTexts(A);
  const written = readFileSync(path);
  expect(gunzipSync(readFileSync(copyOf(path)))).toEqual(written);
  expect(statSync(copyOf(path)).mode & 0o777).toBe(0o600);

  rmSync(folder, { recursive: true });
  await desk.sessions.reading.refresh();
  expect(await rawTexts(A)).toEqual(before);
  expect(before.join('')).not.toContain(SECRET);
  const output = await desk.ask('get_event_details', { session_id: A, event_index: 2 });
  expect(output.data).toMatchObject({ text: 'the whole of a large output', source: 'spilled' });
  const said = await desk.ask('get_event_details', { session_id: A, event_index: 4 });
  expect(said.data).toMatchObject({ text: 'and more', source: 'archive' });

  // The setting and the copies outlive the index.
  await desk.close(true);
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(desk.home, `data/sessions.db${suffix}`), { force: true });
  desk = await openDesk({ home: desk.home });
  expect(await rawTexts(A)).toEqual(before);
  expect((await desk.ask('sessions_archive', {})).data).toMatchObject({ on: true, only_here: 2 });
  const started = await desk.ask('session_subagents', { session_id: A });
  expect(started.data.subagents).toMatchObject([{ id: 'abc123', name: 'digger', event: 3 }]);
  const found = await desk.ask('search_event_previews', { query: 'whole of a large' });
  expect(found.data.matches).toMatchObject([{ session_id: 'aaaaaaaa', event_index: 2 }]);
});

test('a copy that was left half written is completed; a log that is rewritten is copied again', async () => {
  desk = await openDesk({ archive: true });
  const log = claude({ id: A });
  const path = writeLog(claudeLog(A), lines([log.prompt('one')]));
  await desk.sessions.reading.refresh();
  appendFileSync(copyOf(path), Buffer.from([0x1f, 0x8b, 8, 0, 0]));
  appendFileSync(path, lines([log.prompt('two')]));
  await desk.sessions.reading.refresh();
  expect(gunzipSync(readFileSync(copyOf(path)))).toEqual(readFileSync(path));
  truncateSync(path);
  appendFileSync(path, lines([claude({ id: A }).prompt('all new')]));
  await desk.sessions.reading.refresh();
  expect(gunzipSync(readFileSync(copyOf(path)))).toEqual(readFileSync(path));
});

test('chats that are one document, and the project of one that is gone', async () => {
  desk = await openDesk({ archive: true });
  const project = join(desk.folders.gemini, 'app');
  const chat = join(project, 'chats/session-2026-03-01T10-00-12345678.json');
  const { kind, ...header } = gemini.header('12345678-7777-4777-8777-777777777777');
  writeLog(
    chat,
    JSON.stringify({ ...header, messages: [gemini.user('u', 'hello'), gemini.answer('g')], kind }),
  );
  writeLog(join(project, '.project_root'), '/srv/app');
  await desk.sessions.reading.refresh();
  const before = await rawTexts('12345678');
  await desk.close(true);
  rmSync(join(desk.home, 'data/sessions.db'));
  rmSync(project, { recursive: true });
  desk = await openDesk({ home: desk.home, archive: true });
  expect(await rawTexts('12345678')).toEqual(before);
  expect((await desk.sessions.list.find('12345678')).cwd).toBe('/srv/app');
});

test('switched off, what is deleted is gone, and people are warned before', async () => {
  desk = await openDesk();
  const path = writeLog(claudeLog(A), lines([claude({ id: A }).prompt('soon gone')]));
  await desk.sessions.reading.refresh();
  expect((await desk.ask('list_sessions', {}, { door: 'cli' })).data.deleted_soon).toBeUndefined();
  const old = Date.now() / 1000 - 27 * 86_400;
  utimesSync(path, old, old);
  await desk.sessions.reading.refresh();
  const warned = {
    sessions: 1,
    first_at: `${new Date((old + 30 * 86_400) * 1000).toISOString().slice(0, 19)}Z`,
  };
  expect((await desk.ask('list_sessions', {}, { door: 'cli' })).data.deleted_soon).toEqual(warned);
  expect((await desk.ask('list_sessions', {})).data.deleted_soon).toBeUndefined();
  const terminal = { columns: 80, unicode: true };
  expect(await desk.text('sessions_doctor', {}, { door: 'cli', terminal })).toMatch(
    /1 log will be deleted .*; the archive keeps copies\nnext: pinhole sessions archive on$/,
  );
  expect((await desk.ask('get_session_summary', { session_id: A })).data.expires_at).toBe(warned.first_at);
  // The client is told to keep them longer.
  writeLog(join(desk.home, 'logs/settings.json'), '{"cleanupPeriodDays":90}');
  await desk.close(true);
  desk = await openDesk({ home: desk.home });
  expect((await desk.ask('list_sessions', {}, { door: 'cli' })).data.deleted_soon).toBeUndefined();
  rmSync(path);
  await desk.sessions.reading.refresh();
  expect((await desk.ask('list_sessions', {})).data.sessions).toEqual([]);
});

test('the last words of a log are kept too, soon after they were written', async () => {
  desk = await openDesk({ archive: true });
  const { path } = writeSession();
  await desk.close(true);
  desk = await openDesk({ home: desk.home, archive: true, watch: true });
  await desk.sessions.reading.refresh();
  appendFileSync(path, lines([claude({ id: A }).prompt('last words')]));
  const { size } = statSync(path);
  await vi.waitUntil(() => gunzipSync(readFileSync(copyOf(path))).length === size, { timeout: 60_000 });
});

test('copies are redacted, and every record stays where it was', async () => {
  desk = await openDesk({ archive: true });
  const { path, folder } = writeSession();
  writeLog(join(folder, A, 'tool-results/t2.txt'), `token ${SECRET}`);
  await desk.sessions.reading.refresh();
  const copy = gunzipSync(readFileSync(copyOf(path)));
  expect(copy.length).toBe(statSync(path).size);
  expect(copy.includes(SECRET)).toBe(false);
  const spilled = gunzipSync(readFileSync(copyOf(join(folder, A, 'tool-results/t2.txt'))));
  expect(spilled.toString()).toMatch(/^token \[redacted:/);
  rmSync(folder, { recursive: true });
  await desk.sessions.reading.refresh();
  const texts = await rawTexts(A);
  expect(texts[0]).toMatch(/keep me, with \[redacted:/);
  expect(texts.map((record) => JSON.parse(record).type)).toEqual(['user', 'assistant', 'user', 'assistant']);
});

test('what agents delete is recorded with the time, kept or not', async () => {
  desk = await openDesk();
  const log = writeLog(claudeLog(A), lines([claude({ id: A, cwd: '/srv/app' }).prompt('soon gone')]));
  const { path, folder } = { path: claudeLog(B), folder: desk.folders.claude };
  writeLog(path, lines([claude({ id: B }).prompt('kept')]));
  await desk.sessions.reading.refresh();
  rmSync(log);
  await desk.sessions.reading.refresh();
  await desk.ask('sessions_archive', { keep: 'on' }, { door: 'cli' });
  await desk.sessions.reading.refresh();
  rmSync(folder, { recursive: true });
  await desk.sessions.reading.refresh();
  const { deleted } = (await desk.ask('sessions_archive', {}, { door: 'cli' })).data;
  const today = expect.stringContaining(new Date().toISOString().slice(0, 10));
  expect(deleted).toHaveLength(2);
  expect(deleted).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ session_id: A, project: '/srv/app', noticed_at: today, kept: false }),
      expect.objectContaining({ session_id: B, noticed_at: today, kept: true }),
    ]),
  );
  const summary = await desk.ask('get_session_summary', { session_id: B });
  expect(summary.data.deleted_at).toEqual(today);
  expect(await desk.text('get_session_summary', { session_id: B })).toContain('the agent deleted this log');
});

test('a session that is forgotten is nowhere, and does not come back', async () => {
  desk = await openDesk({ archive: true });
  const { path, folder, log } = writeSession();
  writeLog(claudeLog(B), lines([claude({ id: B }).prompt('stays')]));
  await desk.sessions.reading.refresh();
  expect([...keptFiles(join(desk.home, 'data/archive'))]).toHaveLength(5);
  const { sessions, copies, logs } = await desk.sessions.archive.forget(await desk.sessions.list.find(A));
  expect(sessions).toHaveLength(2);
  expect({ copies, logs: logs.length }).toEqual({ copies: 4, logs: 2 });
  expect([...keptFiles(join(desk.home, 'data/archive'))]).toEqual([copyOf(claudeLog(B))]);
  // Its log is still there, and even grows.
  appendFileSync(path, lines([log.prompt('and on')]));
  await desk.sessions.reading.refresh();
  await desk.close(true);
  for (const name of ['sessions.db', 'sessions.db-wal'])
    expect(bytesOf(join(desk.home, 'data', name)).includes('keep me')).toBe(false);
  desk = await openDesk({ home: desk.home, archive: true });
  await desk.sessions.reading.refresh();
  expect((await desk.ask('list_sessions', {})).data.sessions).toMatchObject([{ id: 'bbbbbbbb' }]);
  expect([...keptFiles(join(desk.home, 'data/archive'))]).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

function bytesOf(file: string): Buffer {
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
}
