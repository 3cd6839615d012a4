import { expect, test } from 'vitest';
import { marginOf } from './blame-margin.ts';

test('every line of a group is known, and a session has one colour', () => {
  const margin = marginOf([
    { lines: '1-2', commit: 'aaaa', session_id: 's1' },
    { lines: '3', commit: 'bbbb' },
    { lines: '4', commit: 'cccc', session_id: 's1' },
  ]);
  expect([...margin].map(([line, { first, blamed }]) => [line, first, blamed.commit])).toEqual([
    [1, true, 'aaaa'],
    [2, false, 'aaaa'],
    [3, true, 'bbbb'],
    [4, true, 'cccc'],
  ]);
  expect(margin.get(1)?.colour).toBe(margin.get(4)?.colour);
  expect(margin.get(3)?.colour).toBeUndefined();
});
