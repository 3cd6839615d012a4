import { expect, test } from 'vitest';
import { totalSize } from './total-size.ts';

test('a node inside a selected folder counts once', () => {
  expect(totalSize([])).toBe(0);
  expect(
    totalSize([
      { path: '/a', size: 100 },
      { path: '/a/b', size: 40 },
      { path: '/a/b/c', size: 30 },
      { path: '/ab', size: 7 },
      { path: '/d/e', size: 5 },
    ]),
  ).toBe(112);
  expect(
    totalSize([
      { path: '/', size: 9 },
      { path: '/x', size: 3 },
    ]),
  ).toBe(9);
});
