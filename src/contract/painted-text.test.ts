import { expect, test } from 'vitest';
import { columns } from './format.ts';
import { coloured, cutLine, holdsMarks, painter, shownLength } from './painted-text.ts';

const paint = painter({ columns: 80, unicode: true, colours: true });

test('pieces are coloured by what they are, and only on a terminal with colours', () => {
  expect(coloured(`${paint('id', '5e55a001')} ${paint('problem', '2 failed')}`)).toBe(
    '\u001b[33m5e55a001\u001b[39m \u001b[31m2 failed\u001b[39m',
  );
  expect(paint('path', '')).toBe('');
  expect(painter({ columns: 80, unicode: true })('id', '5e55a001')).toBe('5e55a001');
  expect(painter(undefined)('id', '5e55a001')).toBe('5e55a001');
});

test('marks take no room in columns', () => {
  const rows = [
    [paint('heading', 'id'), 'name'],
    [paint('id', '5e55a001'), 'x'],
    ['none', 'y'],
  ];
  expect(coloured(columns(rows))).toBe(
    '\u001b[1mid\u001b[22m        name\n\u001b[33m5e55a001\u001b[39m  x\nnone      y',
  );
  expect(shownLength(paint('size', '12 kB'))).toBe(5);
});

test('a line is cut where a reader sees its end, and its last colour ends there', () => {
  expect(coloured(cutLine(`ab ${paint('path', 'src/main.ts')} cd`, 8))).toBe('ab \u001b[35msrc/…\u001b[39m');
  expect(cutLine('abc', 3)).toBe('abc');
  expect(cutLine('ab😀cd', 4)).toBe('ab…');
});

test('a text that holds marks itself is known, and loses them', () => {
  expect(holdsMarks({ files: ['a', 'b\ufdd0\ufdd1c'] })).toBe(true);
  expect(holdsMarks({ files: ['a'] })).toBe(false);
  expect(coloured('a\ufdd0b\ufdefc')).toBe('abc');
});
