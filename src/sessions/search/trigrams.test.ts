import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trigramQuery, trigramWords } from './trigrams.ts';

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
