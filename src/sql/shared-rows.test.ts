import { expect, test } from 'vitest';
import { sharedRows, shownRows } from './shared-rows.ts';

const table = (rows: (string | number)[][], shown = rows.length, longest = [99]) => ({
  rows,
  shown,
  longest,
});
const places = (...tables: ReturnType<typeof table>[]) =>
  sharedRows(tables).rows.map(({ statement, number }) => [statement, number]);

test('a single table keeps its order', () => {
  expect(places(table([['long'.repeat(9)], ['x']]))).toEqual([
    [0, 0],
    [0, 1],
  ]);
});

const long = [['a'.repeat(50)], ['b'.repeat(50)], ['c'.repeat(50)]];
const short = [[1], [2], [3], [4]];

test('several tables share the bytes, and an empty one comes first', () => {
  expect(places(table(long), table(short), table([]))).toEqual([
    [2, 0],
    [1, 0],
    [1, 1],
    [1, 2],
    [1, 3],
    [0, 0],
    [0, 1],
    [0, 2],
  ]);
  // As many bytes as are shown count.
  expect(places(table(long, 3, [3]), table(short))[0]).toEqual([0, 0]);
});

test('rows that are not shown at first come last', () => {
  const { rows, first } = sharedRows([table(short, 2), table(long)]);
  expect(first).toBe(5);
  expect(rows.slice(-3).map(({ statement, number }) => [statement, number])).toEqual([
    [1, 2],
    [0, 2],
    [0, 3],
  ]);
  expect(sharedRows([table(short, 2)]).first).toBe(2);
});

test('short rows fill their share of the bytes, and tables share what others leave', () => {
  const many = (count: number, cell: string | number) => table(Array.from({ length: count }, () => [cell]));
  expect(shownRows([many(42, 'x'.repeat(59))], 4_000)).toEqual([42]);
  expect(shownRows([many(100, 'x'.repeat(59))], 3_000)).toEqual([50]);
  // Two rows of 60 bytes, then half of the rest each.
  expect(
    shownRows([many(100, 'x'.repeat(59)), many(2, 'x'.repeat(59)), many(99, 'y'.repeat(39))], 4_920),
  ).toEqual([40, 2, 60]);
  // Some are shown of long ones too, and a few more are not worth a call.
  expect(shownRows([many(31, 'x'.repeat(99))], 1_000)).toEqual([25]);
  expect(shownRows([many(30, 'x'.repeat(99))], 1_000)).toEqual([30]);
});
