import { expect, test } from 'vitest';
import { sessionRow } from '../store/session-row.ts';
import { keptPerSession } from './kept-per-session.ts';

const session = (key: number, events: number) => sessionRow({ key, id: `s${key}`, events });

test('a session is looked at again only when it has changed', async () => {
  const made: string[] = [];
  const look = keptPerSession(async ({ id, events }) => made.push(`${id} ${events}`));
  expect(await Promise.all([look(session(1, 5)), look(session(1, 5))])).toEqual([1, 1]);
  expect(await look(session(2, 5))).toBe(2);
  expect(await look(session(1, 5))).toBe(1);
  expect(await look(session(1, 6))).toBe(3);
  expect(made).toEqual(['s1 5', 's2 5', 's1 6']);
});

test('what failed is tried again, and only the last few sessions are kept', async () => {
  let calls = 0;
  const look = keptPerSession(async ({ key }) => {
    calls++;
    if (calls === 1) throw new Error('the disk is gone');
    return key;
  });
  await expect(look(session(1, 5))).rejects.toThrow('the disk is gone');
  expect(await look(session(1, 5))).toBe(1);
  for (const key of [2, 3, 4, 5]) await look(session(key, 5));
  expect(calls).toBe(6);
  await look(session(5, 5));
  expect(calls).toBe(6);
  await look(session(1, 5));
  expect(calls).toBe(7);
});
