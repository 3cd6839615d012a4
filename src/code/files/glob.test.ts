import { describe, expect, it } from 'vitest';
import { braces, filterGlob, nameGlob, pathGlob } from './glob.ts';

describe('nameGlob', () => {
  it.each([
    ['a.ts', 'a.ts', true],
    ['a.ts', 'b.ts', false],
    ['*.ts', 'a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['a*c', 'abbc', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]]x', ']x', true],
    ['[x', '[x', true],
    ['\\*x', '*x', true],
    ['\\*x', 'ax', false],
    ['*é?', 'caféx', true],
  ])('%s against %s', (glob, name, expected) => {
    expect(nameGlob(glob)(name)).toBe(expected);
  });

  it('stays fast on patterns made to backtrack', () => {
    const started = performance.now();
    expect(nameGlob(`${'*a'.repeat(60)}b`)('a'.repeat(250))).toBe(false);
    expect(performance.now() - started).toBeLessThan(100);
  });
});

describe('pathGlob', () => {
  it.each([
    ['a/b', 'a/b', true],
    ['a/b', 'x/a/b', false],
    ['**/b', 'b', true],
    ['**/b', 'a/x/b', true],
    ['a/**', 'a', false],
    ['a/**', 'a/b/c', true],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/*/b', 'a/x/y/b', false],
    ['a/*.js', 'a/x.js', true],
  ])('%s against %s', (glob, path, expected) => {
    expect(pathGlob(glob)(path)).toBe(expected);
  });
});

describe('filterGlob', () => {
  it.each([
    ['*.{ts,tsx}', 'src/a.tsx', true],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/', 'src/a/b.ts', true],
    ['src', 'lib/src/a.ts', true],
    ['/src/*.ts', 'lib/src/a.ts', false],
    ['*.rs', 'a.ts', false],
  ])('%s against %s', (glob, path, expected) => {
    expect(filterGlob(glob)(path)).toBe(expected);
  });

  it('expands braces, nested ones too, and never beyond 64', () => {
    expect(braces('a{b,c{d,e}}f')).toEqual(['abf', 'acdf', 'acef']);
    expect(braces('{a,b}'.repeat(20))).toHaveLength(64);
    expect(braces('a{b')).toEqual(['a{b']);
  });
});
