import fc from 'fast-check';
import { expect, test } from 'vitest';
import { glob } from './glob.ts';

test.each([
  ['*.ts', 'index.ts', true],
  ['*.ts', '.ts', true],
  ['*.ts', 'index.tsx', false],
  ['*', 'a/b', false],
  ['**', 'a/b', true],
  ['**/b', 'b', true],
  ['**/b', 'a/x/b', true],
  ['**/b', 'a/xb', false],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**', 'a/x/y', true],
  ['a/*/c', 'a/b/b/c', false],
  ['?at', 'cat', true],
  ['?at', '/at', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[]a]', 'x', false],
  ['*.{js,ts}', 'a.ts', true],
  ['{a,b{c,d}}', 'bd', true],
  ['{a,b{c,d}}', 'b', false],
  ['\\*', '*', true],
  ['\\*', 'x', false],
  ['a*b*c', 'aXbXbXc', true],
  ['a*b*c', 'aXbXbX', false],
])('%s %s', (pattern, text, fits) => {
  expect(glob(pattern)(text)).toBe(fits);
});

test('may ignore case', () => {
  expect(glob('*.LOG', { ignoreCase: true })('Error.log')).toBe(true);
});

test.each(['{a', '[a', `{${'a,'.repeat(80)}}`])('%s is refused', (pattern) => {
  expect(() => glob(pattern)).toThrow(/glob/);
});

test('text fits itself, and no pattern takes long', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z.]{1,20}$/), (text) => {
      expect(glob(text)(text)).toBe(true);
      expect(glob(`*${text}*`)(`x${text}y`)).toBe(true);
    }),
  );
  const started = performance.now();
  glob(`${'a*'.repeat(200)}b`)('a'.repeat(5_000));
  expect(performance.now() - started).toBeLessThan(500);
});
