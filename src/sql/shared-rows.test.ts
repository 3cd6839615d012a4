import { expect, test } from 'vitest';
import { sharedRows } from './shared-rows.ts';

test('a single table keeps its order', () => {
  expect(sharedRows([[['long'.repeat(9)], ['x']]]).map(({ number }) => number)).toEqual([0, 1]);
});

test('several tables share the bytes, and an empty one comes first', () => {
  const long = [['a'.repeat(50)], ['b'.repeat(50)], ['c'.repeat(50)]];
  const short = [[1], [2], [3], [4]];
  expect(
    sharedRows([long, short, []]).map(({ statement, number, cells }) => [statement, number, cells?.[0]]),
  ).toEqual([
    [2, 0, undefined],
    [1, 0, 1],
    [1, 1, 2],
    [1, 2, 3],
    [1, 3, 4],
    [0, 0, 'a'.repeat(50)],
    [0, 1, 'b'.repeat(50)],
    [0, 2, 'c'.repeat(50)],
  ]);
});
