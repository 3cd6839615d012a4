import { expect, test } from 'vitest';
import { capped, MAX_BYTES, sharedSize, sumSizes } from './sizes.ts';

test('sums stop at the largest size', () => {
  expect([capped(5), capped(MAX_BYTES), capped(1e300)]).toEqual([5, MAX_BYTES, MAX_BYTES]);
  expect(sumSizes([1, 2, 3], (n) => n)).toBe(6);
  expect(sumSizes([9e15, 9e15], (n) => n)).toBe(MAX_BYTES);
});

test('shared bytes are unknown if the whole is above the largest size', () => {
  expect(sharedSize(10, 7)).toBe(3);
  expect(sharedSize(7, 7)).toBeUndefined();
  expect(sharedSize(1.8e16, MAX_BYTES)).toBeUndefined();
});
