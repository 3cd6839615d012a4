import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import {
  call,
  claude,
  codex,
  gemini,
  lines,
  text,
  tick,
  writeLog,
} from '../../../test/fixtures/sessions/logs.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const B = 'bbbbbbbb-2222-4222-8222-222222222222';

let desk: Desk;
afterEach(() => desk.close());

const claudeLog = (id: string) => join(desk.folders.claude, '-srv-app', `${id}.jsonl`);

async function totalOf(id: string): Promise<number> {
  return (await desk.ask('get_session_summary', { session_id: id })).data.stats.total_tokens;
}

test('a fork owns only its own responses, whichever is read first', async () => {
  desk = await openDesk();
  const log = claude({ id: A });
  const shared = [
    log.prompt('one'),
    log.answer('msg_0000000000000001', text('1'), { input: 0, cacheRead: 0, cacheWrite: 0, output: 1000 }),
  ];
  const own = claude({ id: B });
  writeLog(
    claudeLog(B),
    lines([
      ...shared.map((record) => ({ ...record, sessionId: B })),
      own.prompt('two'),
      own.answer('msg_0000000000000002', text('2'), { input: 0, cacheRead: 0, cacheWrite: 0, output: 50 }),
    ]),
  );
  await desk.sessions.reading.refresh();
  expect(await totalOf(B)).toBe(1050);
  // The original begins with a record of its own that is older.
  const older = { type: 'mode', mode: 'normal', sessionId: A, timestamp: '2026-01-01T00:00:00.000Z' };
  writeLog(claudeLog(A), lines([older, ...shared]));
  await desk.sessions.reading.refresh();
  expect(await totalOf(A)).toBe(1000);
  expect(await totalOf(B)).toBe(50);
  const { data } = await desk.ask('get_session_summary', { session_id: B });
  expect(data.tokens.counted_elsewhere).toEqual({ responses: 1, tokens: 1000 });
  expect(data.parent).toEqual({ id: 'aaaaaaaa', relation: 'fork' });
  rmSync(claudeLog(A));
  await desk.sessions.reading.refresh();
  expect(await totalOf(B)).toBe(1050);
});

test('a Codex fork that copies its origin counts only what came after', async () => {
  desk = await openDesk();
  const origin = 'eeeeeeee-5555-7555-8555-555555555555';
  const fork = 'ffffffff-6666-7666-8666-666666666666';
  const past = [
    codex.meta(origin),
    codex.user('one'),
    codex.said('1'),
    codex.tokens(1000, 1000),
    codex.user('two'),
    codex.said('2'),
    codex.tokens(2000, 1000),
  ];
  const at = tick(100);
  const copied = [codex.meta(fork, { forked_from_id: origin }), ...past].map((record) => ({
    ...record,
    timestamp: at,
  }));
  const own = [codex.user('three'), codex.said('3'), codex.tokens(3000, 1000)];
  const place = (id: string) =>
    join(desk.folders.codex, `2026/03/01/rollout-2026-03-01T10-00-00-${id}.jsonl`);
  // The fork is found first: it is read again once its origin is known.
  writeLog(place(fork), lines([...copied, ...own]));
  await desk.sessions.reading.refresh();
  writeLog(place(origin), lines(past));
  await desk.sessions.reading.refresh();
  expect(await totalOf(origin)).toBe(2000);
  expect(await totalOf(fork)).toBe(1000);
  const { turns } = (await desk.ask('get_session_turns', { session_id: fork })).data;
  expect(turns.map((turn: { inherited?: boolean }) => turn.inherited ?? false)).toEqual([true, true, false]);
});

test('a Codex subagent that was given the history of its parent is known by its own task', async () => {
  desk = await openDesk();
  const parent = 'eeeeeeee-5555-7555-8555-555555555555';
  const child = 'ffffffff-6666-7666-8666-666666666666';
  const past = [codex.meta(parent), codex.user('the whole'), codex.said('ok'), codex.tokens(1000, 1000)];
  const source = { subagent: { thread_spawn: { parent_thread_id: parent, depth: 1 } } };
  const place = (id: string) =>
    join(desk.folders.codex, `2026/03/01/rollout-2026-03-01T10-00-00-${id}.jsonl`);
  const at = tick(100);
  const copied = [codex.meta(child, { source }), ...past].map((record) => ({ ...record, timestamp: at }));
  const own = [codex.userItem('a part'), codex.user('a part'), codex.said('done'), codex.tokens(1300, 300)];
  writeLog(place(parent), lines(past));
  writeLog(place(child), lines([...copied, ...own]));
  await desk.sessions.reading.refresh();
  const { data } = await desk.ask('get_session_summary', { session_id: child });
  expect(data).toMatchObject({
    first_prompt: 'a part',
    parent: { id: 'eeeeeeee', relation: 'subagent' },
    stats: { total_turns: 2, total_tokens: 300 },
  });
});

test('subagents are linked both ways', async () => {
  desk = await openDesk();
  const log = claude({ id: A });
  writeLog(
    claudeLog(A),
    lines([
      log.prompt('delegate'),
      log.answer('msg_0000000000000001', call('t1', 'Agent', { prompt: 'look' })),
    ]),
  );
  const agent = claude({ id: A, extra: { isSidechain: true, agentId: 'a1b2c3d4e5f6a7b8c' } });
  const folder = join(desk.folders.claude, '-srv-app', A, 'subagents');
  writeLog(
    join(folder, 'agent-a1b2c3d4e5f6a7b8c.jsonl'),
    lines([agent.prompt('look'), agent.answer('msg_0000000000000002', text('seen'))]),
  );
  writeLog(
    join(folder, 'agent-a1b2c3d4e5f6a7b8c.meta.json'),
    JSON.stringify({ agentType: 'Explore', toolUseId: 't1' }),
  );
  await desk.sessions.reading.refresh();
  const { data } = await desk.ask('get_session_summary', { session_id: A });
  expect(data.subagents).toEqual([
    { id: 'a1b2c3d4', relation: 'subagent', name: 'Explore', total_tokens: 1130 },
  ]);
  expect(
    (await desk.ask('get_session_summary', { session_id: 'agent-a1b2c3d4e5f6a7b8c' })).data.parent,
  ).toEqual({ id: 'aaaaaaaa', relation: 'subagent' });
  expect((await desk.ask('list_sessions', {})).data.sessions).toHaveLength(1);
});

test('a subagent of Gemini CLI lies in a folder of its parent and counts its own tokens', async () => {
  desk = await openDesk();
  const parent = '12345678-7777-4777-8777-777777777777';
  const chats = join(desk.folders.gemini, 'app/chats');
  const spawn = {
    id: 'c1',
    name: 'codebase_investigator',
    args: {},
    status: 'success',
    agentId: 'g4ix5h',
    result: [],
  };
  writeLog(
    join(chats, 'session-2026-03-01T10-00-12345678.jsonl'),
    lines([
      gemini.header(parent),
      gemini.user('u1', 'delegate'),
      gemini.answer('11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa', { toolCalls: [spawn] }),
    ]),
  );
  await desk.sessions.reading.refresh();
  writeLog(
    join(chats, parent, 'g4ix5h.jsonl'),
    lines([
      { ...gemini.header('g4ix5h'), kind: 'subagent' },
      gemini.user('u2', 'dig'),
      gemini.answer('22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa'),
    ]),
  );
  await desk.sessions.reading.refresh();
  expect([await totalOf(parent), await totalOf('g4ix5h')]).toEqual([1065, 1065]);
  const started = await desk.ask('session_subagents', { session_id: parent });
  expect(started.data.subagents).toMatchObject([{ id: 'g4ix5h', total_tokens: 1065, turn: 0, step: 0 }]);
});

test('a session that is repeated under another id continues the first', async () => {
  desk = await openDesk();
  const first = claude({ id: A });
  writeLog(
    claudeLog(A),
    lines([first.prompt('one'), first.answer('msg_0000000000000000000001', text('yes'))]),
  );
  const second = claude({ id: B });
  writeLog(
    claudeLog(B),
    lines([
      second.prompt('one'),
      second.answer('msg_0000000000000000000001', text('yes')),
      second.prompt('two'),
    ]),
  );
  await desk.sessions.reading.refresh();
  const { data } = await desk.ask('get_session_summary', { session_id: B });
  expect(data.parent).toEqual({ id: 'aaaaaaaa', relation: 'continuation' });
  expect(data.stats.total_tokens).toBe(0);
  appendFileSync(claudeLog(B), lines([second.answer('msg_0000000000000000000002', text('no'))]));
  await desk.sessions.reading.refresh();
  const grown = (await desk.ask('get_session_summary', { session_id: B })).data;
  expect(grown.parent).toEqual({ id: 'aaaaaaaa', relation: 'continuation' });
  expect(grown.stats.total_tokens).toBe(1130);
});

test('what only the progress records tell about a subagent is counted, until its own log is there', async () => {
  desk = await openDesk();
  const log = claude({ id: A });
  const spent = { input: 0, cacheRead: 0, cacheWrite: 0, output: 700 };
  const agent = claude({ id: A, extra: { isSidechain: true, agentId: 'a0ad4f44468bdf20d' } });
  const answer = agent.answer('msg_0000000000000009', text('found'), spent);
  const { message, type, timestamp } = answer;
  writeLog(
    claudeLog(A),
    lines([
      log.prompt('one'),
      log.answer('msg_0000000000000001', text('1'), { ...spent, output: 1000 }),
      ...[1, 2].map(() => ({
        type: 'progress',
        sessionId: A,
        cwd: '/srv/app',
        timestamp,
        data: { type: 'agent_progress', agentId: 'a0ad4f44468bdf20d', message: { type, timestamp, message } },
      })),
    ]),
  );
  await desk.sessions.reading.refresh();
  expect(await totalOf(A)).toBe(1700);
  expect((await desk.sessions.list.find(A))?.contextTokens).toBe(1000);

  const own = join(desk.folders.claude, '-srv-app', A, 'subagents', 'agent-a0ad4f44468bdf20d.jsonl');
  writeLog(own, lines([agent.prompt('find it'), answer]));
  await desk.sessions.reading.refresh();
  expect(await totalOf('a0ad4f44468bdf20d')).toBe(700);
  const after = (await desk.ask('get_session_summary', { session_id: A })).data;
  expect(after.stats.total_tokens).toBe(1000);
  expect(after.tokens.counted_elsewhere).toBeUndefined();
  expect(after.parent).toBeUndefined();
});
