import { expect, test } from 'vitest';
import { inPathOrder } from './row-order.ts';
import { tokensOf } from './statement.ts';

const rows = [
  ['/b.ts', 2, 'call'],
  ['/a.ts', 10, 'type'],
  ['/a.ts', 9, 'call'],
];
const ordered = (query: string) => inPathOrder(tokensOf(query), ['path', 'line', 'kind'], rows);

test('places without an order come by path and line', () => {
  expect(ordered("select path, line, kind from refs where name = 'x'")).toEqual([rows[2], rows[1], rows[0]]);
});

test('an order that the statement names stays, and rows without a place', () => {
  expect(ordered('select path, line, kind from refs order by kind')).toBe(rows);
  expect(inPathOrder(tokensOf('select name from refs'), ['name'], rows)).toBe(rows);
});
