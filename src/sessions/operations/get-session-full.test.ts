import { afterAll, expect, test } from 'vitest';
import { A, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

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
