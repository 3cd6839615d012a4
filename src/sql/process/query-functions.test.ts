import { expect, test } from 'vitest';
import { queryFunctions } from './query-functions.ts';

const functions = queryFunctions(() => ({ now: Date.UTC(2026, 10, 15, 12), zone: 'Asia/Tokyo' }));

test('ago is a local time before now', () => {
  expect(functions.ago?.('1d')).toBe('2026-11-14 21:00:00');
  expect(() => functions.ago?.('soon')).toThrow(/ago must be a date or time/);
});

test.each([
  ['^fo', 'Foo', 1],
  ['^Fo', 'foo', 0],
  ['b$', 'a\nb\nc', 1],
  ['b$', 'a\nbc', 0],
  ['', '', 1],
])('%s matches %s: %s', (pattern, text, expected) => {
  expect(functions.regexp?.(pattern, text)).toBe(expected);
});

test.each([
  ['a/cmd/x/cmd/y.go', '^.*/(cmd|docs)/', '', '', 'y.go'],
  ['one two', 'o', '0', '', '0ne two'],
  ['one two', 'o', '0', 'g', '0ne tw0'],
  ['One one', 'one', '<\\&>', '', 'One <one>'],
  ['One one', 'one', '\\\\', 'gi', '\\ \\'],
  ['héé', 'x*', '-', 'g', '-h-é-é-'],
  ['a\nb', 'a.b', 'c', '', 'c'],
  ['same', 'X', 'y', 'g', 'same'],
])('regexp_replace of %j, %s by %s%s', (text, pattern, by, flags, expected) => {
  expect(functions.regexp_replace?.(text, pattern, by, ...(flags === '' ? [] : [flags]))).toBe(expected);
});

test('regexp_replace says what it does not know', () => {
  expect(functions.regexp_replace?.(null, 'a', 'b')).toBeNull();
  expect(() => functions.regexp_replace?.('a', '(a)', '\\1')).toThrow(/no groups such as \\1/);
  expect(() => functions.regexp_replace?.('a', 'a', 'b', 'm')).toThrow(/flags g and i/);
});

test('a pattern that would hang others ends at once', () => {
  expect(functions.regexp?.('(a+)+$', `${'a'.repeat(5_000)}b`)).toBe(0);
});

test('snip, around, dirname and size', () => {
  expect(functions.snip?.('one\n two  three', 7)).toBe('one two…');
  expect(functions.snip?.('short', 7)).toBe('short');
  expect(functions.around?.('the quick brown fox jumps', 'BROWN', 11)).toBe('…ck brown fo…');
  expect(functions.around?.('nothing', 'x', 10)).toBeNull();
  expect(functions.dirname?.('/a/b/c.txt')).toBe('/a/b');
  expect(functions.dirname?.('/a/b/c.txt', 1)).toBe('/a');
  expect(functions.dirname?.('/a/b/c.txt', 9)).toBe('/a/b');
  expect(functions.dirname?.('/a/b/c.txt', -2)).toBe('/a');
  expect(functions.dirname?.('/a')).toBe('/');
  // Below a folder, as depth counts.
  expect(functions.dirname?.('/a/b/c/d.txt', 1, '/a')).toBe('/a/b');
  expect(functions.dirname?.('/a/b/c/d.txt', 2, '/a/')).toBe('/a/b/c');
  expect(functions.dirname?.('/a/b/c/d.txt', 1, '/')).toBe('/a');
  expect(functions.dirname?.('/a/b/c/d.txt', 0, '/a')).toBe('/a');
  expect(functions.size?.(1536)).toBe('1.5 kB');
});
