import { afterAll, expect, test } from 'vitest';
import { A, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('the chain of reasoning', async () => {
  expect((await desk.ask('get_reasoning_chain', { session_id: A })).data.reasoning).toEqual([
    { turn_index: 0, step_index: 0, event_index: 1, text: 'I need to look at the parser first.' },
  ]);
  expect((await desk.ask('get_reasoning_chain', { session_id: A, turn_index: 1 })).data.reasoning).toEqual(
    [],
  );
});
