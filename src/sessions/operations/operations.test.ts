import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import {
  call,
  claude,
  codex,
  gemini,
  lines,
  text,
  thinking,
  writeLog,
} from '../../../test/fixtures/sessions/logs.ts';
import { SESSION_OPERATIONS } from './index.ts';

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const B = 'aaaaaaaa-2222-4222-8222-222222222222';
const C = '01a1dcbe-3333-7333-8333-333333333333';
const G = 'cccccccc-4444-4444-8444-444444444444';

let desk: Desk;
let paths: readonly string[];

beforeAll(async () => {
  desk = await openDesk();
  const a = claude({ id: A, cwd: '/srv/app' });
  const edit = {
    filePath: '/srv/app/src/a.ts',
    structuredPatch: [{ oldStart: 3, oldLines: 1, newStart: 3, newLines: 1, lines: ['-old', '+new'] }],
  };
  const looping = [0, 1, 2, 3].flatMap((n) => [
    a.answer(`msg_loop_00000000000${n}`, call(`l${n}`, 'Bash', { command: 'npm test' })),
    a.result(`l${n}`, 'Exit code 1\nError: "quoted" thing failed', { error: true }),
  ]);
  const b = claude({ id: B });
  paths = [
    writeLog(
      join(desk.folders.claude, 'p', `${A}.jsonl`),
      lines([
        a.prompt('please fix the parser'),
        a.answer('msg_0000000000000001', thinking('I need to look at the parser first.')),
        a.answer('msg_0000000000000001', call('t1', 'Read', { file_path: '/srv/app/src/a.ts' })),
        a.result('t1', `${'line of code\n'.repeat(3000)}the last line`),
        a.answer(
          'msg_0000000000000002',
          call('t2', 'Edit', { file_path: '/srv/app/src/a.ts', old_string: 'old', new_string: 'new' }),
        ),
        a.result('t2', 'updated', { beside: edit }),
        a.answer('msg_0000000000000003', text('Fixed.')),
        a.prompt('now test it'),
        ...looping,
        a.answer('msg_0000000000000004', text('I give up.')),
      ]),
    ),
    writeLog(
      join(desk.folders.claude, 'p', `${B}.jsonl`),
      lines([
        b.prompt('other work'),
        b.answer('msg_0000000000000009', call('x', 'Read', { file_path: '/srv/app/src/b.ts' })),
      ]),
    ),
    writeLog(
      join(desk.folders.codex, `2026/03/01/rollout-${C}.jsonl`),
      lines([
        codex.meta(C),
        codex.user('patch it'),
        codex.item({
          type: 'custom_tool_call',
          name: 'apply_patch',
          call_id: 'p',
          input: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-1\n+2\n*** End Patch',
        }),
        codex.item({
          type: 'custom_tool_call_output',
          call_id: 'p',
          output: '{"output":"Success","metadata":{"exit_code":0}}',
        }),
        codex.said('Patched.'),
      ]),
    ),
    writeLog(
      join(desk.folders.gemini, 'app/chats/session-2026-03-01T10-00-cccccccc.jsonl'),
      lines([gemini.header(G), gemini.user('u1', 'größe of 文件?'), gemini.answer('m1')]),
    ),
  ];
  await desk.sessions.refresh();
});
afterAll(() => desk.close());

describe('walking down', () => {
  test('list, summary, turns, steps, event: each carries the way to the next', async () => {
    const list = await desk.ask('list_sessions', {});
    const ids = list.data.sessions.map((session: { id: string }) => session.id);
    expect(ids).toEqual(['cccccccc', '01a1dcbe', 'aaaaaaaa-2', 'aaaaaaaa-1']);
    const summary = await desk.ask('get_session_summary', { session_id: 'aaaaaaaa-1' });
    expect(summary.data).toMatchObject({
      session_id: A,
      stats: { total_turns: 2, tool_calls: 6, failures: 4 },
      first_prompt: 'please fix the parser',
      last_message: 'I give up.',
      files: [{ path: 'src/a.ts', reads: 1, edits: 1 }],
    });
    const turns = await desk.ask('get_session_turns', { session_id: A });
    expect(turns.data.turns).toMatchObject([
      { turn_index: 0, outcome: 'success', step_count: 3, tools: { Read: 1, Edit: 1 } },
      { turn_index: 1, outcome: 'failed', failed_tools: 4, key_actions: ['npm test ×4 (4 failed)'] },
    ]);
    expect(turns.hint).toBe('get_turn_steps session_id=aaaaaaaa-1 turn_index=1');
    const steps = await desk.ask('get_turn_steps', { session_id: A, turn_index: 0 });
    const [first] = steps.data.steps;
    expect(first).toMatchObject({
      step_index: 0,
      event_index: 1,
      reasoning: 'I need to look at the parser first.',
    });
    expect(first.tools[0].result).toMatch(/…\[\+\d+\]$/);
    const event = await desk.ask('get_event_details', {
      session_id: A,
      event_index: first.tools[0].result_event,
    });
    expect(event.data).toMatchObject({
      event_type: 'tool_result',
      turn_index: 0,
      step_index: 0,
      call_event: 2,
      total_bytes: 39_013,
    });
    expect(event.size).toBeLessThanOrEqual(8_000);
    expect(event.size).toBeGreaterThan(7_500);
    const end = await desk.ask('get_event_details', { session_id: A, event_index: 3, offset: 39_000 });
    expect(end.data.text).toBe('the last line');
  });

  test('an ambiguous beginning names the matches; a wrong index names the range', async () => {
    const { error } = await desk.ask('get_session_summary', { session_id: 'aaaaaaaa' });
    expect(error).toMatchObject({
      code: 'ambiguous_session_prefix',
      details: { matches: ['aaaaaaaa-1', 'aaaaaaaa-2'] },
    });
    expect((await desk.ask('get_turn_steps', { session_id: A, turn_index: 9 })).error).toMatchObject({
      code: 'invalid_turn_index',
      message: expect.stringContaining('0..1'),
    });
    expect((await desk.ask('get_event_details', { session_id: A, event_index: 99 })).error).toMatchObject({
      code: 'invalid_event_index',
      message: expect.stringContaining('0..16'),
    });
    expect((await desk.ask('list_sessions', { provider: 'cursor' })).error.message).toContain(
      'claude_code, codex, gemini',
    );
    expect((await desk.ask('list_sessions', { since: 'yesterday-ish' })).error.code).toBe(
      'invalid_parameter',
    );
  });

  test('a log is also found by its path', async () => {
    expect((await desk.ask('get_session_summary', { session_id: paths[0] })).data.session_id).toBe(A);
  });

  test('every record comes back byte for byte', async () => {
    for (const path of paths) {
      const session = await desk.sessions.find(path);
      let whole = '';
      let at = 0;
      for (const event of await desk.sessions.events(session, 0, session.events)) {
        if (event.offset < at) continue;
        at = event.offset + event.length;
        for (let offset: number | undefined = 0; offset !== undefined; ) {
          const { data } = await desk.ask('get_event_details', {
            session_id: session.id,
            event_index: event.index,
            raw: true,
            offset,
          });
          whole += data.text;
          offset = data.next_offset;
        }
      }
      expect(whole).toBe(readFileSync(path, 'utf8'));
    }
  });

  test('a whole session, page by page, nothing cut', async () => {
    let cursor = 'start';
    const texts = new Map<number, string>();
    for (let page = 0; cursor !== undefined && page < 100; page++) {
      const answer = await desk.ask('get_session_full', page === 0 ? { session_id: A, cursor } : { cursor });
      expect(answer.size).toBeLessThanOrEqual(8_000);
      for (const turn of answer.data.turns) {
        for (const event of turn.events)
          texts.set(event.event_index, (texts.get(event.event_index) ?? '') + event.text);
      }
      cursor = answer.pagination.next_cursor;
    }
    expect(texts.get(3)).toBe(`${'line of code\n'.repeat(3000)}the last line`);
    expect([...texts.keys()]).toEqual(Array.from({ length: 17 }, (_, index) => index));
  });
});

describe('search', () => {
  test('any case, any quoting, any script; newest first', async () => {
    const find = async (query: string, more = {}) =>
      (await desk.ask('search_event_previews', { query, ...more })).data.matches;
    expect(await find('PLEASE FIX')).toMatchObject([
      { session_id: 'aaaaaaaa-1', event_index: 0, turn_index: 0, event_type: 'user' },
    ]);
    expect(await find('"quoted" thing')).toHaveLength(4);
    expect(await find('\\"quoted\\" thing')).toHaveLength(4);
    expect(await find('文件')).toMatchObject([{ session_id: 'cccccccc' }]);
    expect(await find('GRÖSSE')).toHaveLength(0);
    expect(await find('GRÖßE')).toHaveLength(1);
    expect(await find('"command":"npm test"')).toHaveLength(4);
    const times = (await find('e', { limit: 50 })).map((match: { timestamp: string }) => match.timestamp);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('filters and regular expressions', async () => {
    const find = async (input: object) =>
      (await desk.ask('search_event_previews', input as never)).data.matches;
    expect(await find({ query: 'exit code \\d+$', regex: true, event_type: 'tool_result' })).toHaveLength(4);
    expect(await find({ query: 'npm test', event_type: 'ToolCall', session_id: A, limit: 2 })).toHaveLength(
      2,
    );
    expect(await find({ query: 'patch', provider: 'claude-code' })).toHaveLength(0);
    expect(await find({ query: 'src/a.ts', project: '/srv/app', until: '2020-01-01' })).toHaveLength(0);
    expect((await desk.ask('search_event_previews', { query: '(', regex: true })).error.code).toBe(
      'invalid_parameter',
    );
  });

  test('pages of a search are one list, each hit once', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await desk.ask(
        'search_event_previews',
        cursor === undefined ? { query: 'npm', limit: 2 } : { cursor },
      );
      seen.push(...answer.data.matches.map((match: { event_index: number }) => match.event_index));
      cursor = answer.pagination.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual([14, 12, 10, 8]);
  });

  test('the calling session does not find itself unless it asks by id', async () => {
    const own = { session: A };
    expect((await desk.ask('search_event_previews', { query: 'npm test' }, own)).data.matches).toEqual([]);
    expect(
      (await desk.ask('search_event_previews', { query: 'npm test', session_id: A }, own)).data.matches,
    ).toHaveLength(4);
    expect((await desk.ask('list_sessions', {}, own)).data.sessions).toHaveLength(3);
  });

  test('lines of one long output', async () => {
    const { data } = await desk.ask('get_event_details', {
      session_id: A,
      event_index: 3,
      grep: 'LAST',
      context_lines: 1,
    });
    expect(data.lines).toEqual([
      { line: 3000, text: 'line of code' },
      { line: 3001, text: 'the last line' },
    ]);
  });
});

describe('judging', () => {
  test('the score and its penalties add up, evidence has coordinates', async () => {
    const { data } = await desk.ask('analyze_session', { session_id: A });
    const points = data.penalties.reduce(
      (sum: number, penalty: { points: number }) => sum + penalty.points,
      0,
    );
    expect(data.score).toBe(100 - points);
    expect(data.insights).toMatchObject([
      { lens: 'failures', severity: 'critical', turn_index: 1, event_index: 9 },
      { lens: 'loops', turn_index: 1, event_index: 8, message: '4 times in a row: npm test' },
      { lens: 'retries', turn_index: 1 },
    ]);
    const calm = await desk.ask('analyze_session', {
      session_id: A,
      include_failures: false,
      include_loops: false,
    });
    expect(calm.data).toMatchObject({ score: 100, insights: [], penalties: [] });
  });

  test('who touched a file, with each change', async () => {
    const { data } = await desk.ask('file_history', { path: '/srv/app/src/a.ts' });
    expect(data.touches).toMatchObject([
      {
        session_id: '01a1dcbe',
        action: 'edit',
        tool: 'apply_patch',
        diff: expect.stringContaining('-1\n+2'),
      },
      { session_id: 'aaaaaaaa-1', action: 'edit', event_index: 4, diff: '@@ -3,1 +3,1 @@\n-old\n+new' },
      { session_id: 'aaaaaaaa-1', action: 'read', event_index: 2 },
    ]);
    expect((await desk.ask('file_history', { path: 'src/a.ts' })).data.touches).toHaveLength(3);
    expect((await desk.ask('file_history', { path: '/srv/app' })).data.touches).toHaveLength(4);
  });

  test('two sessions side by side', async () => {
    const { data } = await desk.ask('compare_sessions', { a: A, b: B });
    expect(data).toMatchObject({ a: { turns: 2 }, b: { turns: 1 }, tools: { Bash: [4, 0], Read: [1, 1] } });
    expect(data.parts_at).toMatchObject({
      call: 0,
      a: { action: 'read src/a.ts' },
      b: { action: 'read src/b.ts' },
    });
  });

  test('the chain of reasoning', async () => {
    expect((await desk.ask('get_reasoning_chain', { session_id: A })).data.reasoning).toEqual([
      { turn_index: 0, step_index: 0, event_index: 1, text: 'I need to look at the parser first.' },
    ]);
    expect((await desk.ask('get_reasoning_chain', { session_id: A, turn_index: 1 })).data.reasoning).toEqual(
      [],
    );
  });

  test('the older names still answer', async () => {
    const { data } = await desk.ask('get_session_details', { session_id: A, detail_level: 'turns' });
    expect(data.turns).toHaveLength(2);
    expect((await desk.ask('get_session_by_id', { session_id: A })).data.session_id).toBe(A);
    const { matches } = (await desk.ask('search_events', { pattern: 'patch it', include_full_payload: true }))
      .data;
    expect(matches).toMatchObject([{ session_id: '01a1dcbe', payload: 'patch it' }]);
  });
});

test('answers fit any budget and are never broken', async () => {
  const input = fc.record({
    operation: fc.constantFrom(...SESSION_OPERATIONS.map((operation) => operation.name)),
    session_id: fc.constantFrom(A, B, C, G, 'aaaaaaaa', 'nothing'),
    index: fc.nat(20),
    query: fc.constantFrom('e', 'npm', 'line of code', '文', '.', 'zzz'),
    budget: fc.integer({ min: 2_000, max: 12_000 }),
  });
  await fc.assert(
    fc.asyncProperty(input, async ({ operation, session_id, index, query, budget }) => {
      const taken = SESSION_OPERATIONS.find((candidate) => candidate.name === operation)?.input.shape ?? {};
      const all = {
        session_id,
        turn_index: index % 3,
        event_index: index,
        query,
        pattern: query,
        path: '/srv/app',
        a: A,
        b: session_id,
      };
      const given = Object.fromEntries(Object.entries(all).filter(([name]) => name in taken));
      const { size, ok, error } = await desk.ask(operation, given, { budget });
      expect(size).toBeLessThanOrEqual(budget);
      if (!ok) expect(error.code).not.toBe('internal_error');
    }),
    { numRuns: 150 },
  );
});
