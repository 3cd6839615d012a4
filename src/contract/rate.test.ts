import { expect, test } from 'vitest';
import { createRateLimit } from './rate.ts';

test('calls are counted for each caller, and come back over a minute', () => {
  let now = 0;
  const take = createRateLimit(() => now);
  for (let call = 0; call < 10; call++) take('search', 'ann', 10);
  expect(() => take('search', 'ann', 10)).toThrow('search allows 10 calls per minute; try again in 6 s.');
  take('search', 'bob', 10);
  now += 6_000;
  take('search', 'ann', 10);
  expect(() => take('search', 'ann', 10)).toThrow('try again in 6 s');
});

test('a clock that is set back locks nobody out', () => {
  let now = 10_000_000;
  const take = createRateLimit(() => now);
  take('search', 'ann', 10);
  now -= 3_600_000;
  for (let call = 0; call < 9; call++) take('search', 'ann', 10);
  now -= 1_000;
  expect(() => take('search', 'ann', 10)).toThrow('try again in 6 s');
  now += 6_000;
  take('search', 'ann', 10);
});
