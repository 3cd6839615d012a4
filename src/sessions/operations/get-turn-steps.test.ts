import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { call, claude, lines, text, thinking, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const ID = 'dddddddd-7777-4777-8777-777777777777';
const { desk } = await sampleDesk();
afterAll(() => desk.close());

const log = claude({ id: ID });
const STEPS = 6;
writeLog(
  join(desk.folders.claude, 'p', `${ID}.jsonl`),
  lines([
    log.prompt('hello'),
    log.answer('m0', text('hi')),
    log.prompt('work'),
    ...Array.from({ length: STEPS }, (_, n) => [
      log.answer(`w${n}`, thinking(`thought ${n}`)),
      log.answer(`w${n}`, text(`I do "${n}"`)),
      log.answer(`w${n}`, call(`c${n}`, 'Bash', { command: `echo "${n}"`, description: 'say it' })),
      log.result(`c${n}`, n === 4 ? 'x'.repeat(900) : `${n}`),
    ]).flat(),
  ]),
);
await desk.sessions.reading.refresh();

const steps = async (input: object) =>
  (await desk.ask('get_turn_steps', { session_id: ID, ...input })).data.steps.map(
    (step: { step_index: number }) => step.step_index,
  );

test('begins with a step, at the end, or around an event', async () => {
  expect(await steps({ turn_index: 1, from_step: 4 })).toEqual([4, 5]);
  expect(await steps({ turn_index: 1, from_step: -1 })).toEqual([5]);
  expect(await steps({ turn_index: -1, from_step: -2 })).toEqual([4, 5]);
  expect(await steps({ turn_index: -2 })).toEqual([0]);
  // The call of step 3.
  expect(await steps({ around_event: 2 + 1 + 3 * 4 + 2 })).toEqual([2, 3, 4, 5]);
  expect(await steps({ around_event: -1 })).toEqual([4, 5]);
  expect((await desk.ask('get_turn_steps', { session_id: ID })).error.message).toBe(
    'Give turn_index or around_event.',
  );
  expect((await desk.ask('get_turn_steps', { session_id: ID, turn_index: -3 })).error.code).toBe(
    'invalid_turn_index',
  );
});

test('pages go on where they stopped', async () => {
  const first = await desk.ask('get_turn_steps', { session_id: ID, turn_index: 1, from_step: 1, limit: 2 });
  const second = await desk.ask('get_turn_steps', { cursor: first.pagination.next_cursor });
  expect(second.data.steps[0].step_index).toBe(3);
});

test('the event of a step is what was said, arguments are JSON, tokens are split', async () => {
  const { data } = await desk.ask('get_turn_steps', { session_id: ID, turn_index: 1, limit: 1 });
  const [step] = data.steps;
  expect(
    (await desk.ask('get_event_details', { session_id: ID, event_index: step.event_index })).data.text,
  ).toBe('I do "0"');
  expect(JSON.parse(step.tools[0].arguments)).toEqual({ command: 'echo "0"', description: 'say it' });
  expect(step).toMatchObject({ tokens: 1130, input_tokens: 110, cached_tokens: 1000, output_tokens: 20 });
});

test('what is cut comes with the call that returns it', async () => {
  const cut = await desk.ask('get_turn_steps', { session_id: ID, turn_index: 1, from_step: 4, limit: 1 });
  const { result_event } = cut.data.steps[0].tools[0];
  expect(cut.next).toEqual([
    { operation: 'get_event_details', input: { session_id: 'dddddddd', event_index: result_event } },
  ]);
  expect((await desk.ask('get_turn_steps', { session_id: ID, turn_index: 0 })).next).toBeUndefined();
  const before = await desk.ask('get_turn_steps', { session_id: ID, turn_index: 1, limit: 3 });
  expect(before.next).toBeUndefined();
});

test('the text has one line for each thing', async () => {
  const shown = await desk.text('get_turn_steps', { session_id: ID, turn_index: 1, from_step: -1 });
  expect(shown).toBe(
    [
      'dddddddd turn 1, step 5 of 6',
      '5 e24 1.13k tok',
      ' thinks: thought 5',
      ' says: I do "5"',
      ' e25 Bash echo "5"',
      '  e26 5',
    ].join('\n'),
  );
});

test('turns show the reasoning that was asked for, also as text', async () => {
  const plain = await desk.text('get_session_turns', { session_id: ID });
  expect(plain).not.toContain('thought 0');
  const told = await desk.text('get_session_turns', { session_id: ID, include_reasoning: true });
  expect(told).toMatch(/ {2}reasoning "thought 0"$/m);
});
