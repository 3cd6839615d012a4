import { expect, test } from 'vitest';
import { SIGNALS } from '../../../src/code/rank/signal-weights.ts';
import { scoreLabel } from './score-labels.ts';

test('every part of a score has its own label', () => {
  const labels = SIGNALS.map(scoreLabel);
  expect(new Set(labels).size).toBe(SIGNALS.length);
  // No name from the source code.
  expect(labels.filter((text) => /[A-Z_]|\d/.test(text))).toEqual([]);
  expect(SIGNALS.filter((signal) => scoreLabel(signal) === signal)).toEqual([]);
  expect(scoreLabel('somethingNew2')).toBe('something new 2');
});
