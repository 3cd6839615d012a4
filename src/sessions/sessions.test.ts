import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Desk, openDesk } from '../../test/fixtures/sessions/harness.ts';
import {
  call,
  claude,
  codex,
  gemini,
  lines,
  text,
  tick,
  writeLog,
  zstdOf,
} from '../../test/fixtures/sessions/logs.ts';
import type { SessionChange } from './follow.ts';
import { sessionChangeCard } from './operations/session-change.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const B = 'bbbbbbbb-2222-4222-8222-222222222222';

let desk: Desk;
afterEach(() => desk.close());

const claudeLog = (id: string) => join(desk.folders.claude, '-srv-app', `${id}.jsonl`);

async function totalOf(id: string): Promise<number> {
  return (await desk.ask('get_session_summary', { session_id: id })).data.stats.total_tokens;
}

describe('reading', () => {
  test('an append keeps all coordinates and adds to them; a half-written line waits', async () => {
    desk = await openDesk();
    const log = claude({ id: A });
    const first = lines([
      log.prompt('one'),
      log.answer('msg_0000000000000001', call('t1', 'Bash', { command: 'make all' })),
    ]);
    const path = writeLog(claudeLog(A), first);
    await desk.sessions.refresh();
    const before = (await desk.ask('get_turn_steps', { session_id: A, turn_index: 0 })).data.steps;
    expect(before[0].tools[0]).toMatchObject({ name: 'Bash', status: 'pending', event_index: 1 });

    const second = lines([
      log.result('t1', 'Exit code 2\nno rule', { error: true }),
      log.answer('msg_0000000000000002', text('It failed.')),
      log.prompt('two'),
    ]);
    appendFileSync(path, second.slice(0, -30));
    await desk.sessions.refresh();
    expect((await desk.ask('get_session_turns', { session_id: A })).data.total_turns).toBe(1);
    appendFileSync(path, second.slice(-30));
    await desk.sessions.refresh();
    const { turns } = (await desk.ask('get_session_turns', { session_id: A })).data;
    expect(
      turns.map((turn: { outcome: string; user_message: string }) => [turn.user_message, turn.outcome]),
    ).toEqual([
      ['one', 'failed'],
      ['two', 'success'],
    ]);
    const after = (await desk.ask('get_turn_steps', { session_id: A, turn_index: 0 })).data.steps;
    expect(after[0].tools[0]).toMatchObject({
      status: 'failed',
      exit_code: 2,
      event_index: 1,
      result_event: 2,
    });
    expect((await desk.ask('search_event_previews', { query: 'no rule' })).data.matches).toHaveLength(1);
  });

  test('a rewritten log is read anew, a deleted one is gone', async () => {
    desk = await openDesk({ archive: false });
    const log = claude({ id: A });
    const path = writeLog(
      claudeLog(A),
      lines([log.prompt('old words'), log.answer('msg_0000000000000001', text('ok'))]),
    );
    await desk.sessions.refresh();
    writeFileSync(path, lines([claude({ id: A }).prompt('new words')]));
    await desk.sessions.refresh();
    expect((await desk.ask('search_event_previews', { query: 'words' })).data.matches).toMatchObject([
      { preview: 'new words', event_index: 0 },
    ]);
    rmSync(path);
    await desk.sessions.refresh();
    expect((await desk.ask('get_session_summary', { session_id: A })).error.code).toBe('session_not_found');
    expect((await desk.ask('search_event_previews', { query: 'words' })).data.matches).toEqual([]);
  });

  test('cold logs in .zst, archived logs, and outputs in files of their own', async () => {
    desk = await openDesk();
    const words = 'packed '.repeat(40_000);
    const path = join(
      desk.folders.codex,
      '2026/03/01/rollout-2026-03-01T10-00-00-cccccccc-3333-7333-8333-333333333333.jsonl.zst',
    );
    mkdirSync(join(desk.folders.codex, '2026/03/01'), { recursive: true });
    writeFileSync(
      path,
      zstdOf(
        lines([
          codex.meta('cccccccc-3333-7333-8333-333333333333'),
          codex.user('unpack me'),
          codex.said(words),
          codex.said('the end'),
        ]),
      ),
    );
    const log = claude({ id: A });
    const spilled = `<persisted-output>\nOutput too large (90KB). Full output saved to: /elsewhere/${A}/tool-results/t1.txt\n\nPreview (first 2KB):\nstart`;
    writeLog(
      claudeLog(A),
      lines([
        log.prompt('run'),
        log.answer('msg_0000000000000001', call('t1', 'Bash', { command: 'make' })),
        log.result('t1', spilled),
      ]),
    );
    writeLog(
      join(desk.folders.claude, '-srv-app', A, 'tool-results/t1.txt'),
      `start\n${'noise\n'.repeat(9000)}the needle\nend`,
    );
    await desk.sessions.refresh();
    const { data } = await desk.ask('search_event_previews', { query: 'the end' });
    expect(data.matches[0]).toMatchObject({ session_id: 'cccccccc', event_index: 3 });
    let raw = '';
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const part = await desk.ask('get_event_details', { session_id: 'cccccccc', event_index: 2, offset });
      raw += part.data.text;
      offset = part.data.next_offset;
    }
    expect(raw).toBe(words);
    expect((await desk.ask('search_event_previews', { query: 'the needle' })).data.matches).toHaveLength(1);
    const found = await desk.ask('get_event_details', {
      session_id: A,
      event_index: 2,
      grep: 'needle',
      context_lines: 1,
    });
    expect(found.data).toMatchObject({
      source: 'spilled',
      lines: [{ line: 9001 }, { line: 9002, text: 'the needle' }, { line: 9003 }],
    });
  });

  test('the same thread in two files: the active one has the id, nothing is counted twice', async () => {
    desk = await openDesk();
    const id = 'dddddddd-4444-7444-8444-444444444444';
    const records = [codex.meta(id), codex.user('go'), codex.tokens(1000, 1000)];
    const archived = join(
      desk.home,
      'logs/codex/archived_sessions',
      `rollout-2026-03-01T10-00-00-${id}.jsonl`,
    );
    writeLog(archived, lines(records));
    writeLog(
      join(desk.folders.codex, `2026/03/01/rollout-2026-03-01T10-00-00-${id}.jsonl`),
      lines([...records, codex.tokens(1500, 500)]),
    );
    await desk.close(true);
    desk = await openDesk({
      home: desk.home,
      folders: [{ provider: 'codex', path: join(desk.home, 'logs/codex') }],
    });
    const { sessions } = (await desk.ask('list_sessions', {})).data;
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({ id: 'dddddddd', total_tokens: 1500 });
  });
});

describe('tokens', () => {
  test('lines of one response count once, with the largest output', async () => {
    desk = await openDesk();
    const log = claude({ id: A });
    const usage = { input: 10, cacheRead: 100, cacheWrite: 20 };
    writeLog(
      claudeLog(A),
      lines([
        log.prompt('go'),
        log.answer('msg_0000000000000001', text('a'), { ...usage, output: 1 }, { stop_reason: null }),
        log.answer('msg_0000000000000001', text('b'), { ...usage, output: 70 }, { stop_reason: 'end_turn' }),
      ]),
    );
    await desk.sessions.refresh();
    const { data } = await desk.ask('get_session_summary', { session_id: A });
    expect(data.tokens).toMatchObject({ input: 10, cached: 100, cache_write: 20, output: 70 });
    expect(data.tokens.lower_bound).toBeUndefined();
    expect(data.stats.total_tokens).toBe(200);
  });

  test('a client that never wrote the final count gives a lower bound', async () => {
    desk = await openDesk();
    const log = claude({ id: A });
    writeLog(
      claudeLog(A),
      lines([
        log.prompt('go'),
        log.answer('msg_0000000000000001', text('a'), { output: 1 }, { stop_reason: null }),
      ]),
    );
    await desk.sessions.refresh();
    expect((await desk.ask('get_session_summary', { session_id: A })).data.tokens.lower_bound).toBe(true);
    expect(await desk.text('usage', {})).toContain('lower bound');
  });

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
    await desk.sessions.refresh();
    expect(await totalOf(B)).toBe(1050);
    // The original begins with a record of its own that is older.
    const older = { type: 'mode', mode: 'normal', sessionId: A, timestamp: '2026-01-01T00:00:00.000Z' };
    writeLog(claudeLog(A), lines([older, ...shared]));
    await desk.sessions.refresh();
    expect(await totalOf(A)).toBe(1000);
    expect(await totalOf(B)).toBe(50);
    const { data } = await desk.ask('get_session_summary', { session_id: B });
    expect(data.tokens.counted_elsewhere).toEqual({ responses: 1, tokens: 1000 });
    expect(data.parent).toEqual({ id: 'aaaaaaaa', relation: 'fork' });
    rmSync(claudeLog(A));
    await desk.sessions.refresh();
    expect(await totalOf(B)).toBe(1050);
  });

  test('what the client counted and did not log makes the sum the client’s', async () => {
    desk = await openDesk();
    const log = claude({ id: A });
    writeLog(
      claudeLog(A),
      lines([
        log.prompt('go'),
        log.answer('msg_0000000000000001', text('a'), {
          input: 10,
          output: 20,
          cacheRead: 100,
          cacheWrite: 0,
        }),
        {
          type: 'cost-state',
          sessionId: A,
          modelUsage: {
            'claude-opus-4-5': {
              inputTokens: 25,
              outputTokens: 90,
              cacheReadInputTokens: 150,
              cacheCreationInputTokens: 0,
            },
          },
        },
      ]),
    );
    await desk.sessions.refresh();
    expect(await totalOf(A)).toBe(265);
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
    await desk.sessions.refresh();
    writeLog(place(origin), lines(past));
    await desk.sessions.refresh();
    expect(await totalOf(origin)).toBe(2000);
    expect(await totalOf(fork)).toBe(1000);
    const { turns } = (await desk.ask('get_session_turns', { session_id: fork })).data;
    expect(turns.map((turn: { inherited?: boolean }) => turn.inherited ?? false)).toEqual([
      true,
      true,
      false,
    ]);
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
    await desk.sessions.refresh();
    const { data } = await desk.ask('get_session_summary', { session_id: A });
    expect(data.subagents).toEqual([
      { id: 'a1b2c3d4', relation: 'subagent', name: 'Explore', total_tokens: 1130 },
    ]);
    expect(
      (await desk.ask('get_session_summary', { session_id: 'agent-a1b2c3d4e5f6a7b8c' })).data.parent,
    ).toEqual({ id: 'aaaaaaaa', relation: 'subagent' });
    expect((await desk.ask('list_sessions', {})).data.sessions).toHaveLength(1);
  });
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
  await desk.sessions.refresh();
  writeLog(
    join(chats, parent, 'g4ix5h.jsonl'),
    lines([
      { ...gemini.header('g4ix5h'), kind: 'subagent' },
      gemini.user('u2', 'dig'),
      gemini.answer('22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa'),
    ]),
  );
  await desk.sessions.refresh();
  expect([await totalOf(parent), await totalOf('g4ix5h')]).toEqual([1065, 1065]);
  const timeline = await desk.ask('session_timeline', { session_id: parent });
  expect(timeline.data.subagents).toMatchObject([{ id: 'g4ix5h', total_tokens: 1065, turn: 0, step: 0 }]);
});

test('a session that is told anew under another id continues the first', async () => {
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
  await desk.sessions.refresh();
  const { data } = await desk.ask('get_session_summary', { session_id: B });
  expect(data.parent).toEqual({ id: 'aaaaaaaa', relation: 'continuation' });
  expect(data.stats.total_tokens).toBe(0);
});

describe('live', () => {
  test('what a running session writes is found within a second', async () => {
    desk = await openDesk({ watch: false });
    mkdirSync(join(desk.folders.claude, '-srv-app'), { recursive: true });
    await desk.close(true);
    desk = await openDesk({ home: desk.home, watch: true });
    const log = claude({ id: A });
    const path = claudeLog(A);
    const changed = () =>
      new Promise<void>((resolve) => {
        const stop = desk.sessions.onChange(() => {
          stop();
          resolve();
        });
      });
    let seen = changed();
    writeLog(path, lines([log.prompt('first words')]));
    await seen;
    for (const word of ['alpha', 'beta', 'gamma']) {
      const started = performance.now();
      seen = changed();
      appendFileSync(path, lines([log.prompt(`more ${word}`)]));
      await seen;
      expect((await desk.ask('search_event_previews', { query: `more ${word}` })).data.matches).toHaveLength(
        1,
      );
      expect(performance.now() - started).toBeLessThan(1000);
    }
    // Written beside and moved into place, as some clients do.
    seen = changed();
    writeFileSync(`${path}.tmp`, lines([claude({ id: A }).prompt('replaced')]));
    renameSync(`${path}.tmp`, path);
    await seen;
    expect((await desk.ask('search_event_previews', { query: 'replaced' })).data.matches).toHaveLength(1);
  });
});

test('a follower is told of every change of its session and of its subagents, with what is new', async () => {
  desk = await openDesk();
  const log = claude({ id: A });
  const path = writeLog(claudeLog(A), lines([log.prompt('first')]));
  await desk.sessions.refresh();
  const told: SessionChange[] = [];
  const stop = desk.sessions.follow(await desk.sessions.find(A), (change) => told.push(change));
  const next = () => vi.waitUntil(() => told.shift(), { timeout: 5000, interval: 5 });
  appendFileSync(path, lines([log.answer('msg_1', text('on it')), log.prompt('second')]));
  await desk.sessions.refresh();
  expect(sessionChangeCard(await next())).toMatchObject({
    first_event: 1,
    events: 3,
    first_turn: 0,
    turns: 2,
  });
  const agent = claude({ id: A, extra: { isSidechain: true, agentId: 'abc123' } });
  writeLog(
    join(desk.folders.claude, '-srv-app', A, 'subagents/agent-abc123.jsonl'),
    lines([agent.prompt('look')]),
  );
  writeLog(claudeLog(B), lines([claude({ id: B }).prompt('somebody else')]));
  await desk.sessions.refresh();
  expect(sessionChangeCard(await next())).toMatchObject({ first_event: 3, events: 3, subagents: true });
  writeLog(path, lines([claude({ id: A }).prompt('all anew')]));
  await desk.sessions.refresh();
  expect(sessionChangeCard(await next())).toMatchObject({ first_event: 0, events: 1, rewritten: true });
  stop();
  appendFileSync(path, lines([log.prompt('unheard')]));
  await desk.sessions.refresh();
  expect(told).toEqual([]);
});

describe('projects', () => {
  test('worktrees of one repository are one project; Gemini names it by its hash', async () => {
    desk = await openDesk();
    const repository = join(desk.home, 'repo');
    mkdirSync(join(repository, '.git/worktrees/feature'), { recursive: true });
    writeLog(join(desk.home, 'feature/.git'), `gitdir: ${join(repository, '.git/worktrees/feature')}\n`);
    writeLog(claudeLog(A), lines([claude({ id: A, cwd: repository }).prompt('one')]));
    writeLog(claudeLog(B), lines([claude({ id: B, cwd: join(desk.home, 'feature') }).prompt('two')]));
    const chat = join(desk.folders.gemini, 'repo/chats/session-2026-03-01T10-00-12345678.jsonl');
    writeLog(
      chat,
      lines([gemini.header('12345678-7777-4777-8777-777777777777'), gemini.user('u1', 'three')]),
    );
    writeLog(join(desk.folders.gemini, 'repo/.project_root'), repository);
    await desk.sessions.refresh();
    const { projects } = (await desk.ask('get_project_info', {})).data;
    expect(projects).toMatchObject([{ root_path: repository, session_count: 3 }]);
    const byHash = await desk.ask('list_sessions', { project: projects[0].hash });
    const byPath = await desk.ask('list_sessions', { project: repository });
    expect(byHash.data.sessions).toHaveLength(3);
    expect(byPath.data).toEqual(byHash.data);
  });
});
