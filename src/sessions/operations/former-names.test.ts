import { afterAll, expect, test } from 'vitest';
import { A, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('the former names still answer', async () => {
  const { data } = await desk.ask('get_session_details', { session_id: A, detail_level: 'turns' });
  expect(data.turns).toHaveLength(2);
  expect(data.turns[1].steps[2]).toEqual({
    step_index: 2,
    summary: 'Bash',
    tool_calls: 1,
    failed_tools: 1,
    tokens: 1130,
  });
  const summary = (await desk.ask('get_session_by_id', { session_id: A })).data;
  expect(summary.session_id).toBe(A);
  expect(summary.turns).toEqual([
    { turn_index: 0, user_message: 'please fix the parser', step_count: 3, tokens: 3390 },
    { turn_index: 1, user_message: 'now test it', step_count: 5, tokens: 5650 },
  ]);
  const { matches } = (await desk.ask('search_events', { pattern: 'patch it', include_full_payload: true }))
    .data;
  expect(matches).toMatchObject([{ session_id: '01a1dcbe', payload: 'patch it' }]);
});

test('the former search takes the same filters', async () => {
  const find = async (input: object) => (await desk.ask('search_events', { ...input })).data.matches;
  expect(await find({ pattern: 'exit code \\d', regex: true, event_type: 'ToolResult' })).toHaveLength(4);
  expect(await find({ pattern: 'npm test', since: '2026-03-01', until: '2026-03-01' })).toHaveLength(4);
  expect(await find({ pattern: 'npm test', until: '2026-02-28' })).toHaveLength(0);
});

test('steps of all turns come in pages; turn_index selects one turn', async () => {
  const seen: string[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const { data, pagination } = await desk.ask('get_session_details', {
      session_id: A,
      detail_level: 'steps',
      limit: 2,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { turn_index, steps } of data.turns)
      for (const { step_index } of steps) seen.push(`${turn_index}.${step_index}`);
    cursor = pagination.next_cursor;
  }
  const counts = (await desk.ask('get_session_turns', { session_id: A })).data.turns.map(
    (turn: { step_count: number }) => turn.step_count,
  );
  expect(seen).toEqual(
    counts.flatMap((count: number, turn: number) =>
      Array.from({ length: count }, (_, step) => `${turn}.${step}`),
    ),
  );
  const one = await desk.ask('get_session_details', { session_id: A, detail_level: 'steps', turn_index: 1 });
  expect(one.data.turn_index).toBe(1);
});
