import { expect, test } from 'vitest';
import { coloursOf } from './series-colours.ts';

test('a name keeps its colour, and two names never share one', () => {
  const alone = coloursOf(['claude-opus-4-5']).get('claude-opus-4-5');
  expect(coloursOf(['claude-opus-4-5']).get('claude-opus-4-5')).toBe(alone);
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const all = coloursOf(names);
  expect(new Set(all.values()).size).toBe(7);
  expect(coloursOf([...names].reverse())).toEqual(all);
});
