import { expect, test } from 'vitest';
import { sizeOfParts } from './selected-parts.ts';

test('what lies in a selected folder counts once', () => {
  expect(sizeOfParts([])).toBe(0);
  expect(
    sizeOfParts([
      { path: '/a', size: 100 },
      { path: '/a/b', size: 40 },
      { path: '/a/b/c', size: 30 },
      { path: '/ab', size: 7 },
      { path: '/d/e', size: 5 },
    ]),
  ).toBe(112);
  expect(
    sizeOfParts([
      { path: '/', size: 9 },
      { path: '/x', size: 3 },
    ]),
  ).toBe(9);
});
