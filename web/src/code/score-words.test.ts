import { expect, test } from 'vitest';
import { SIGNALS } from '../../../src/code/rank/weights.ts';
import { scoreWords } from './score-words.ts';

test('every part of a score has words of its own', () => {
  const words = SIGNALS.map(scoreWords);
  expect(new Set(words).size).toBe(SIGNALS.length);
  // A name of the program is no word.
  expect(words.filter((text) => /[A-Z_]|\d/.test(text))).toEqual([]);
  expect(SIGNALS.filter((signal) => scoreWords(signal) === signal)).toEqual([]);
  expect(scoreWords('somethingNew2')).toBe('something new 2');
});
