import { afterAll, expect, test } from 'vitest';
import { A, B, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('a whole session, page by page, nothing cut', async () => {
  let cursor = 'start';
  const texts = new Map<number, string>();
  for (let page = 0; cursor !== undefined && page < 100; page++) {
    const answer = await desk.ask('get_session_full', page === 0 ? { session_id: A, cursor } : { cursor });
    expect(answer.size).toBeLessThanOrEqual(8_000);
    if (answer.pagination.has_more) expect(answer.size).toBeGreaterThan(7_200);
    expect(answer.data).toMatchObject({ chunk_index: page, total_turns: 2, total_events: 17 });
    // An estimate, which the last page corrects.
    expect(Math.abs(answer.data.total_chunks - 6)).toBeLessThanOrEqual(1);
    for (const turn of answer.data.turns) {
      for (const event of turn.events)
        texts.set(event.event_index, (texts.get(event.event_index) ?? '') + event.text);
    }
    cursor = answer.pagination.next_cursor;
  }
  expect(texts.get(3)).toBe(`${'line of code\n'.repeat(3000)}the last line`);
  expect([...texts.keys()]).toEqual(Array.from({ length: 17 }, (_, index) => index));
});

test('the text says where it is, and shows what a call was asked to do', async () => {
  const first = await desk.text('get_session_full', { session_id: A, limit: 1 });
  expect(first).toMatch(
    /^aaaaaaaa-1 {2}chunk 1 of about 6, turn 0 of 2, event 0 of 17\nturn 0\ne0 10:00 user\nplease fix/,
  );
  expect(Buffer.byteLength(first)).toBeGreaterThan(7_200);
  expect(first).toContain('call Read\n/srv/app/src/a.ts\n');
  const small = await desk.text('get_session_full', { session_id: B });
  expect(small.split('\n')[0]).toBe('aaaaaaaa-2  1 turn, 2 events');
});

test('limit is the number of turns on a page', async () => {
  const who = { budget: 500_000 };
  const { data, pagination } = await desk.ask('get_session_full', { session_id: A, limit: 5 }, who);
  expect(pagination.has_more).toBe(false);
  expect(data.turns.map((turn: { turn_index: number }) => turn.turn_index)).toEqual([0, 1]);
  const one = await desk.ask('get_session_full', { session_id: A, limit: 1 }, who);
  expect(one.data.turns.map((turn: { turn_index: number }) => turn.turn_index)).toEqual([0]);
  const rest = await desk.ask('get_session_full', { cursor: one.pagination.next_cursor }, who);
  expect(rest.data.turns.map((turn: { turn_index: number }) => turn.turn_index)).toEqual([1]);
});
