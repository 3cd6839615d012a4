import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { glob } from './glob.ts';
import { globPattern } from './glob-pattern.ts';
import { plainGlobs } from './parse-glob.ts';

describe('what fits', () => {
  test.each([
    ['a.ts', 'a.ts', true],
    ['a.ts', 'b.ts', false],
    ['*.ts', 'index.ts', true],
    ['*.ts', '.ts', true],
    ['*.ts', 'index.tsx', false],
    ['*.ts', 'a/index.ts', false],
    ['a*c', 'abbc', true],
    ['a*c', 'ab/c', false],
    ['*', 'a/b', false],
    ['a*b*c', 'aXbXbXc', true],
    ['a*b*c', 'aXbXbX', false],
    ['?at', 'cat', true],
    ['?at', 'at', false],
    ['?at', '/at', false],
    ['*é?', 'caféx', true],
    ['?', '😀', true],
    ['*', 'two\nlines', true],
    ['', 'a', false],
  ])('names: %s %s', (pattern, text, fits) => {
    expect(glob(pattern)(text)).toBe(fits);
  });

  test.each([
    ['a/b', 'a/b', true],
    ['a/b', 'x/a/b', false],
    ['**', 'a/b', true],
    ['**/b', 'b', true],
    ['**/b', 'a/x/b', true],
    ['**/b', 'a/xb', false],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'ab', false],
    ['a/**', 'a/x/y', true],
    ['a/**', 'a', false],
    ['a/**', 'ax/y', false],
    ['a/*/c', 'a/b/b/c', false],
    ['a/*.js', 'a/x.js', true],
    ['a**b', 'axxb', true],
    ['a**b', 'ax/xb', false],
    ['**.ts', 'a/b.ts', false],
    ['\\**', '*a', true],
  ])('paths: %s %s', (pattern, text, fits) => {
    expect(glob(pattern)(text)).toBe(fits);
  });

  test.each([
    ['[a-c]x', 'bx', true],
    ['[a-c]x', 'dx', false],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]]x', ']x', true],
    ['[!]]x', ']x', false],
    ['[]a]', 'x', false],
    ['[a-]', '-', true],
    ['[\\]a]', ']', true],
    ['[a\\-z]', 'm', false],
    ['[{,}]', ',', true],
    ['a[!b]c', 'a/c', false],
    ['a[/]c', 'a/c', false],
    ['[а-я]', 'ж', true],
  ])('classes: %s %s', (pattern, text, fits) => {
    expect(glob(pattern)(text)).toBe(fits);
  });

  test.each([
    ['*.{js,ts}', 'a.ts', true],
    ['{a,b{c,d}}', 'bd', true],
    ['{a,b{c,d}}', 'b', false],
    ['a{,c}b', 'ab', true],
    ['{a}', 'a', true],
    ['{a/b,c}/d', 'a/b/d', true],
    ['{**,x}/d', 'a/b/d', true],
    ['\\{a,b\\}', '{a,b}', true],
    ['\\{a,b\\}', 'a', false],
    ['{a\\,b,c}', 'a,b', true],
    ['a}b', 'a}b', true],
    ['a,b', 'a,b', true],
  ])('braces: %s %s', (pattern, text, fits) => {
    expect(glob(pattern)(text)).toBe(fits);
  });

  test('the case counts unless it is ignored', () => {
    expect(glob('*.LOG')('error.log')).toBe(false);
    expect(glob('*.LOG', { ignoreCase: true })('Error.log')).toBe(true);
    expect(glob('[A-C]É', { ignoreCase: true })('bé')).toBe(true);
  });

  test('a glob for any name of a path', () => {
    const source = glob('src*', { anyName: true });
    expect(['src', 'a/src1/b', 'a/srcs', 'asrc', 'a/xsrc/b'].map(source)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('what is refused', () => {
  test.each([
    ['{a', /has a '\{' without '\}'; write '\\\{'/],
    ['a{b,{c}', /without '\}'/],
    ['[a', /has a '\[' without '\]'; write '\\\['/],
    ['[]', /without '\]'/],
    ['[z-a]', /the range 'z-a', which is empty; write 'a-z'/],
    [`{${'a,'.repeat(300)}}`, /more than 256 alternatives; split it/],
    ['{a,b}'.repeat(40), /more than 256 alternatives/],
    [`${'{a,'.repeat(300)}b${'}'.repeat(300)}`, /more than 256 alternatives/],
  ])('%s', (pattern, message) => {
    expect(() => glob(pattern)).toThrow(message);
  });

  test('in ignore files a class that does not end is plain text', () => {
    expect(glob('[x', { unclosedClass: true })('[x')).toBe(true);
    expect(() => glob('{x', { unclosedClass: true })).toThrow(/without/);
  });
});

test('the alternatives as plain globs', () => {
  expect(plainGlobs('a{b,c{d,e}}f')).toEqual(['abf', 'acdf', 'acef']);
  expect(plainGlobs('{a,b}{c,d}')).toEqual(['ac', 'ad', 'bc', 'bd']);
});

test('names and endings that are compared as they are give what the expression gives', () => {
  const piece = fc.constantFrom('*', 'a', '/', '.b', '{a,b}', '\\*');
  const globs = fc.array(piece, { minLength: 1, maxLength: 5 }).map((list) => list.join(''));
  const texts = fc
    .array(fc.constantFrom('a', 'b', '.', '/', '*'), { maxLength: 6 })
    .map((list) => list.join(''));
  fc.assert(
    fc.property(globs, texts, (pattern, text) => {
      // In this small alphabet the expression means the same to the engine's own regular expressions.
      const expression = new RegExp(globPattern(pattern).replaceAll('(?s:.)', '[^]'));
      expect(glob(pattern)(text)).toBe(expression.test(text));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['many stars', `${'a*'.repeat(200)}b`, 'a'.repeat(5_000)],
  ['stars across folders', `${'**/a*a*'.repeat(20)}b`, 'a/'.repeat(2_000)],
  ['alternatives', `{${'a*,'.repeat(200)}b}c`, 'a'.repeat(5_000)],
])('no glob takes long: %s', (_name, pattern, text) => {
  const start = process.cpuUsage();
  expect(glob(pattern)(text)).toBe(false);
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
});
