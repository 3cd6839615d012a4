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
    { operation: 'get_event_details', input: { session_id: 'aaaaaaaa-1', event_index: 9 } },
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
