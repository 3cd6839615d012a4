import { expect, test } from 'vitest';
import { createTimeSpent } from './time-spent.ts';

/** A clock that moves only when time is spent. */
function spending() {
  let clock = 0;
  const spent = createTimeSpent(() => clock);
  const spend = (what: string, ms: number, fails = false) =>
    spent.on(what, async () => {
      clock += ms;
      if (fails) throw new Error('stopped');
      return what;
    });
  return { spend, notes: () => spent.notes() };
}

test('what took the time of a long query, the longest first; nothing about short ones', async () => {
  const { spend, notes } = spending();
  expect(notes()).toEqual([]);
  expect(await spend('scanning /usr', 2_000)).toBe('scanning /usr');
  await spend('scanning /etc', 1_000);
  expect(notes()).toEqual([]);
  await spend('comparing files', 4_400);
  await spend('comparing files', 1_600);
  await spend('scanning /opt', 900);
  expect(notes()).toEqual(['Time: 6 s comparing files, 2 s scanning /usr, 1 s scanning /etc.']);
});

test('work that fails has taken its time too', async () => {
  const { spend, notes } = spending();
  await expect(spend('comparing files', 10_000, true)).rejects.toThrow('stopped');
  expect(notes()).toEqual(['Time: 10 s comparing files.']);
});

test('many short parts are not listed', async () => {
  const { spend, notes } = spending();
  for (const root of ['/a', '/b', '/c', '/d']) await spend(`scanning ${root}`, 900);
  expect(notes()).toEqual([]);
});
