import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { call, claude, lines, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { A, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('agents get findings in small pages, people get all at once', async () => {
  const id = 'dddddddd-4444-4444-8444-444444444444';
  const log = claude({ id });
  const turns = Array.from({ length: 60 }, (_, n) => [
    log.prompt(`try ${n}`),
    log.answer(`msg_${id}_${n}`, call(`t${n}`, 'Bash', { command: `make target-${n}` })),
    log.result(`t${n}`, 'Exit code 2', { error: true }),
  ]).flat();
  writeLog(join(desk.folders.claude, '-srv-app', `${id}.jsonl`), lines(turns));
  await desk.sessions.reading.refresh();
  const found: number[] = [];
  for (let input: object = { session_id: id }; ; ) {
    const answer = await desk.ask('analyze_session', { ...input });
    expect(answer.size).toBeLessThanOrEqual(3_000);
    found.push(...answer.data.insights.map((insight: { turn_index: number }) => insight.turn_index));
    expect(answer.data.score).toBe(60);
    expect(found.length + (answer.data.more_insights?.failures ?? 0)).toBe(60);
    if (!answer.pagination.has_more) break;
    input = { cursor: answer.pagination.next_cursor };
  }
  expect(found).toEqual(Array.from({ length: 60 }, (_, n) => n));
  const whole = await desk.ask('analyze_session', { session_id: id }, { budget: 1_000_000, door: 'rest' });
  expect(whole.data.insights).toHaveLength(60);
});

test('the score and its penalties add up, evidence has coordinates', async () => {
  const { data, next } = await desk.ask('analyze_session', { session_id: A });
  expect(next).toEqual([
    { operation: 'get_event_details', input: { session_id: 'aaaaaaaa-1', event_index: 15 } },
  ]);
  expect((await desk.ask('get_event_details', { session_id: A, event_index: 9 })).data).toMatchObject({
    event_type: 'tool_result',
    status: 'failed',
  });
  const points = data.penalties.reduce((sum: number, penalty: { points: number }) => sum + penalty.points, 0);
  expect(data.score).toBe(100 - points);
  expect(data.insights).toMatchObject([
    { lens: 'checks', severity: 'critical', turn_index: 1 },
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

test('without a session: what happened in many', async () => {
  const id = 'eeeeeeee-9999-4999-8999-999999999999';
  const log = claude({ id, cwd: '/srv/lib' });
  const rejected =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\ncut a branch first";
  const edit = (name: string) => ({ file_path: `/srv/lib/${name}`, old_string: 'a', new_string: 'b' });
  writeLog(
    join(desk.folders.claude, '-srv-lib', `${id}.jsonl`),
    lines([
      log.prompt('make it work'),
      log.answer('m1', call('c1', 'Bash', { command: 'npx vitest run 2>&1 | tail -5' })),
      log.result('c1', ' FAIL  src/a.test.ts > adds\n Tests  1 failed | 3 passed (4)'),
      log.answer('m2', call('c2', 'Edit', edit('src/a.ts'))),
      log.result('c2', 'edited'),
      log.answer('m3', call('c3', 'Bash', { command: 'npx vitest run 2>&1 | tail -5' })),
      log.result('c3', ' Tests  4 passed (4)'),
      log.answer('m4', call('c4', 'Edit', edit('src/b.ts'))),
      log.result('c4', rejected, { error: true }),
      log.answer('m5', call('c5', 'Task', { description: 'look', subagent_type: 'Explore', prompt: 'x' })),
      log.result('c5', 'seen'),
      log.prompt('[Request interrupted by user]'),
      log.prompt('do it my way'),
    ]),
  );
  await desk.sessions.reading.refresh();
  const find = async (kind: string) =>
    (await desk.ask('analyze_session', { kind, project: '/srv/lib' })).data.findings;
  expect(await find('checks')).toEqual([
    {
      kind: 'checks',
      session_id: 'eeeeeeee',
      event_index: 2,
      turn_index: 0,
      timestamp: expect.any(String),
      times: 1,
      what: 'test: npx vitest run',
      said: expect.stringContaining('a.test.ts > adds'),
      after: 'passed at e5 after edits of src/a.ts e3',
    },
  ]);
  expect(await find('rejected')).toMatchObject([
    { event_index: 8, what: 'Edit src/b.ts', said: 'cut a branch first' },
  ]);
  expect(await find('subagents')).toMatchObject([{ event_index: 9, what: 'Explore "look" 1s no log' }]);
  expect(await find('interruptions')).toMatchObject([{ what: 'make it work', after: '"do it my way"' }]);
  expect(await find('commands')).toMatchObject([{ what: 'npx vitest run', times: 1, runs: 2, sessions: 1 }]);

  const text = await desk.text('analyze_session', { project: '/srv/lib' });
  expect(text.split('\n').slice(0, 3)).toEqual([
    '1 session',
    'failed checks, those in a row as one',
    expect.stringMatching(
      /^ test: npx vitest run → .* → passed at e5 after edits of src\/a.ts e3 {2}eeeeeeee e2 t0 03-01$/,
    ),
  ]);
  expect(await desk.text('analyze_session', { kind: 'loops', project: '/srv/lib' })).toBe(
    '1 session, nothing found',
  );
});
