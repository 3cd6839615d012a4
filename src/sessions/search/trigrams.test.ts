import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold, trigramQuery, trigramWords } from './trigrams.ts';

test('a text that holds another has all of its codes, in any case', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 3 }), fc.string(), (before, word, after) => {
      const codes = new Set(trigramWords(before + word.toUpperCase() + after).split(' '));
      const wanted = trigramWords(word.toUpperCase()).split(' ');
      expect(wanted.every((code) => codes.has(code))).toBe(true);
    }),
  );
});

test('texts of less than three characters cannot be looked up', () => {
  expect(trigramQuery('ab')).toBeUndefined();
  expect(trigramQuery('abc')).toMatch(/^"\w+"$/);
});

test('what is the same in any case to a regular expression is the same to the index', () => {
  const other: string[] = [];
  for (let code = 0x41; code < 0x1_f000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const letter = String.fromCodePoint(code);
    if (!/\p{L}|\p{M}/u.test(letter)) continue;
    const alone = new RegExp(`^${letter}$`, 'iu');
    const upper = letter.toUpperCase();
    for (const form of [letter.toLowerCase(), upper, upper.toLowerCase()]) {
      if (alone.test(form) && fold(letter) !== fold(form)) other.push(`${letter} ${form}`);
    }
  }
  expect(other).toEqual([]);
});
