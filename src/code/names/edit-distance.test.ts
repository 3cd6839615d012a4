import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';

test.each([
  ['same', 'same', 0],
  ['adaptres', 'adapters', 1],
  ['get_quersyet', 'get_queryset', 1],
  ['get_qeursyet', 'get_queryset', 2],
  ['pool', 'pools', 1],
  ['pool', 'cool', 1],
  ['pool', 'spoils', undefined],
])('%s and %s', (a, b, distance) => {
  expect(editDistance(a, b, 2)).toBe(distance);
  expect(editDistance(b, a, 2)).toBe(distance);
});
