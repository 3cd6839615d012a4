import { expect, test } from 'vitest';
import { nameAt } from './name-at.ts';

test('the name around a place', () => {
  expect(nameAt('  return loadTile(id);', 12)).toBe('loadTile');
  expect(nameAt('loadTile', 0)).toBe('loadTile');
  expect(nameAt('loadTile', 8)).toBe('loadTile');
  expect(nameAt('a + 12', 5)).toBeUndefined();
  expect(nameAt(' (', 1)).toBeUndefined();
});
