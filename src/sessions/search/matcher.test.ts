import { expect, test } from 'vitest';
import { previewAround, regexMatcher, substringMatcher } from './matcher.ts';

test('a substring in any case, also when it is written with escapes', () => {
  expect(substringMatcher('EADDRINUSE').find('Error: listen eaddrinuse')).toEqual({ at: 14, length: 10 });
  expect(substringMatcher('say \\"hi\\"').find('they say "hi" twice')).toBeDefined();
  expect(substringMatcher('a\\nb').find('xa\nby')).toBeDefined();
});

test('a regular expression over lines, and one that spans them', () => {
  expect(regexMatcher('^err.*code$').find('one\nERR with code\ntwo')).toEqual({ at: 4, length: 13 });
  expect(regexMatcher('one\\s+two').find('one\n  two')).toEqual({ at: 0, length: 9 });
});

test('a wrong expression is refused with its reason', () => {
  expect(() => regexMatcher('(')).toThrow(/not valid/);
});

test('an expression that would hang others ends at once', () => {
  const started = performance.now();
  expect(regexMatcher('(a+)+$').find(`${'a'.repeat(5000)}!`)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(3000);
});

test('a preview is about 300 characters around the match, on one line', () => {
  const text = `${'before '.repeat(100)}NEEDLE\n\n${'after '.repeat(100)}`;
  const preview = previewAround(text, text.indexOf('NEEDLE'), 6);
  expect(preview).toContain('NEEDLE after');
  expect(preview.length).toBeLessThanOrEqual(302);
  expect(preview).toMatch(/^….*…$/);
});
