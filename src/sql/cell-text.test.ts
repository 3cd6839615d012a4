import { expect, test } from 'vitest';
import { cellText, tableText } from './cell-text.ts';

test.each([
  [null, ''],
  [0, '0'],
  [1234567, '1234567'],
  [1.23456789, '1.2346'],
  [0.1 + 0.2, '0.3'],
  [12345.678, '12345.7'],
  [0.000123456, '0.0001235'],
  ['2026-11-14 21:40:05', '2026-11-14 21:40'],
  ['2026-11-14', '2026-11-14'],
  ['at 2026-11-14 21:40:05', 'at 2026-11-14 21:40:05'],
])('%s is shown as %s', (cell, text) => {
  expect(cellText(cell)).toBe(text);
});

test('several columns: a line for each row, long texts cut', () => {
  expect(
    tableText(
      ['a', 'b'],
      [
        [1, 'x\ny\tz'],
        [null, 'y'.repeat(300)],
      ],
    ),
  ).toBe(`a\tb\n1\tx y z\n\t${'y'.repeat(199)}…`);
});

test('what a query computes is not cut', () => {
  expect(tableText(['a', 'b'], [['x'.repeat(300), 'y'.repeat(300)]], { whole: [true, false] })).toBe(
    `a\tb\n${'x'.repeat(300)}\t${'y'.repeat(199)}…`,
  );
});

test('a single column is shown whole', () => {
  expect(tableText(['text'], [['a\nb'], ['z'.repeat(300)]])).toBe(`text\na\nb\n\n${'z'.repeat(300)}`);
  expect(tableText(['n'], [[1], [2]])).toBe('n\n1\n2');
});

test('times have their year, so that they can be asked for again; long names of expressions are cut', () => {
  const rows = [['2026-01-13 11:33:20'], ['2025-12-31 23:59:59'], ['2026-01-13']];
  expect(tableText(['at'], rows)).toBe('at\n2026-01-13 11:33\n2025-12-31 23:59\n2026-01-13');
  expect(tableText(['at', "snip(around(text, 'x', 80), 160)"], [['2026-01-13 11:33:20', 'y']])).toBe(
    "at\tsnip(around(text, 'x', …\n2026-01-13 11:33\ty",
  );
});
