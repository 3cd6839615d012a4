import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellText, longestCells, shownCells, tableText } from './cell-text.ts';

test.each([
  [null, ''],
  [0, '0'],
  [1234567, '1234567'],
  [1.23456789, '1.2346'],
  [0.1 + 0.2, '0.3'],
  [12345.678, '12345.7'],
  [0.000123456, '0.0001235'],
  ['2026-11-14 21:40:05', '2026-11-14 21:40:05'],
  ['2026-11-14', '2026-11-14'],
  ['at 2026-11-14 21:40:05', 'at 2026-11-14 21:40:05'],
])('%s is shown as %s', (cell, text) => {
  expect(cellText(cell)).toBe(text);
});

const table = (
  columns: string[],
  rows: (string | number | null)[][],
  computed: boolean[],
  several = false,
) => {
  const longest = longestCells({ computed, rows: rows.length, several });
  return tableText(
    columns,
    rows.map((row) => shownCells(row, longest)),
  );
};
const many = (cell: string) => Array.from({ length: 10 }, () => [1, cell]);

test('several columns: a line for each row, long texts cut with how much is missing', () => {
  expect(table(['a', 'b'], [[1, 'x\ny\tz'], ...many('y'.repeat(300))], [false, false])).toBe(
    `a\tb\n1\tx y z${`\n1\t${'y'.repeat(199)}…+101`.repeat(10)}`,
  );
});

test('a few rows have room for long texts', () => {
  expect(table(['a', 'b'], [[1, 'y'.repeat(3_000)]], [false, false])).toBe(
    `a\tb\n1\t${'y'.repeat(1_999)}…+1001`,
  );
  expect(table(['a', 'b'], [[1, 'y'.repeat(3_000)]], [false, false], true)).toBe(
    `a\tb\n1\t${'y'.repeat(699)}…+2301`,
  );
});

test('what a query computes is cut only where it is very long', () => {
  expect(table(['a', 'b'], many('x'.repeat(1_500)), [true, true])).not.toContain('…');
  expect(table(['a', 'b'], many('x'.repeat(1_500)), [true, true], true)).toContain(`${'x'.repeat(699)}…+801`);
});

test('a single column is shown whole, but not where it is one of several tables', () => {
  expect(table(['text'], [['a\nb'], ['z'.repeat(3_000)]], [false])).toBe(
    `text\na\nb\n\n${'z'.repeat(3_000)}`,
  );
  expect(table(['text'], [['a\nb'], ['z'.repeat(3_000)]], [false], true)).toContain('z…+');
  expect(table(['n'], [[1], [2]], [true])).toBe('n\n1\n2');
});

test('a last cell that is empty is seen', () => {
  expect(
    table(
      ['a', 'b'],
      [
        [null, null],
        ['x', ''],
      ],
      [true, true],
    ),
  ).toBe("a\tb\n\tNULL\nx\t''");
  expect(table(['a'], [[null]], [true])).toBe('a\nNULL');
});

test('a folder that all paths of a column are in is written once', () => {
  const rows = [
    ['/usr/share/man/a', 1],
    ['/usr/share/man/b/c', 2],
    ['/usr/share/manual', 3],
  ];
  expect(tableText(['path', 'n'], rows)).toBe('path in /usr/share/\tn\nman/a\t1\nman/b/c\t2\nmanual\t3');
  const plain = (cells: (string | number | null)[]) =>
    expect(
      tableText(
        ['p'],
        cells.map((cell) => [cell]),
      ),
    ).toBe(['p', ...cells.map(cellText)].join('\n'));
  plain(['/usr/share/man/a']);
  plain(['/a/b', '/a/c', '/a/d']);
  plain(['/usr/share/man/a', '/usr/share/man/b', null]);
  plain(['/usr/share/man/a', '/var/share/man/b', '/var/share/man/c']);
});

test('so is that of paths in a repository', () => {
  const column = (...cells: string[]) =>
    tableText(
      ['p'],
      cells.map((cell) => [cell]),
    ).split('\n');
  expect(column('src/sql/process/a.ts', 'src/sql/process/b.ts', 'src/sql/c.ts', 'src/sql/d.ts')).toEqual([
    'p in src/sql/',
    ...['process/a.ts', 'process/b.ts', 'c.ts', 'd.ts'],
  ]);
  for (const cells of [
    ['src/sql/process/a.ts', 'src/sql/process/b.ts:7', 'src/sql/process/c.ts'],
    ['https://example.org/a', 'https://example.org/b', 'https://example.org/c'],
    ['src/sql/process/a.ts', 'src/sql/process/b c', 'src/sql/process/d.ts'],
    ['src/sql/process/a.ts', '/src/sql/process/b', 'src/sql/process/d.ts'],
    ['a/b', 'a/c', 'a/d'],
  ])
    expect(column(...cells)).toEqual(['p', ...cells]);
});

test('the folder is left out of all paths of a cell, or of none', () => {
  const joined = (cells: string[]) =>
    tableText(
      ['n', 'p'],
      cells.map((cell) => [1, cell]),
    );
  expect(joined(['/usr/share/man/a /usr/share/doc/b', '/usr/share/man/c | /usr/share/man/d'])).toBe(
    'n\tp in /usr/share/\n1\tman/a doc/b\n1\tman/c | man/d',
  );
  expect(joined(['/usr/share/man/a,/usr/share/man/b,/usr/share/man/c/d e'])).toBe(
    'n\tp in /usr/share/man/\n1\ta,b,c/d e',
  );
  expect(joined(['/usr/share/man/a /opt/b', '/usr/share/man/c'])).toBe(
    'n\tp\n1\t/usr/share/man/a /opt/b\n1\t/usr/share/man/c',
  );
  // A text that was cut within its last path does not change what the others share.
  expect(joined(['/usr/share/man/a /usr/share/man/b /usr/sh…+120'])).toBe(
    'n\tp in /usr/share/man/\n1\ta b /usr/sh…+120',
  );
});

test('times have their year, so that they can be asked for again; long names of expressions are cut', () => {
  const rows = [['2026-01-13 11:33:20'], ['2025-12-31 23:59:59'], ['2026-01-13']];
  expect(tableText(['at'], rows)).toBe('at\n2026-01-13 11:33:20\n2025-12-31 23:59:59\n2026-01-13');
  expect(tableText(['at', "snip(around(text, 'x', 80), 160)"], [['2026-01-13 11:33:20', 'y']])).toBe(
    "at\tsnip(around(text, 'x', …\n2026-01-13 11:33:20\ty",
  );
});

test('any texts become a table, whatever they begin with', () => {
  const cell = fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      '/a',
      'a/b',
      'a/b/c',
      '…/a',
      '/usr/share/man/a',
      'a',
      '',
      '/ /',
      ' /usr/share/man/b',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
      const lines = tableText(
        ['n', 'p'],
        cells.map((text) => [1, text]),
      );
      expect(lines).toMatch(/^n\tp/);
    }),
  );
});

test('a longer text that repeats the one above it is a quotation mark; numbers are not', () => {
  const rows = [
    ['abcdefgh', 'TestOne', 'src/a/very/long/path.ts', 12_345_678],
    ['abcdefgh', 'TestOne', 'src/a/very/long/path.ts', 12_345_678],
    ['abcdefgh', 'TestTwo', 'lib/other.ts', 12_345_678],
  ];
  expect(tableText(['session', 'name', 'path', 'n'], rows)).toBe(
    [
      'session\tname\tpath\tn',
      'abcdefgh\tTestOne\tsrc/a/very/long/path.ts\t12345678',
      '"\tTestOne\t"\t12345678',
      '"\tTestTwo\tlib/other.ts\t12345678',
    ].join('\n'),
  );
});
