import { totalmem } from 'node:os';
import { expect, test } from 'vitest';
import { isMemoryScarce, memoryLimit, threadCount } from './scarce-memory.ts';

test('a process never gets more than the machine has', () => {
  expect(memoryLimit()).toBeGreaterThan(0);
  expect(memoryLimit()).toBeLessThanOrEqual(totalmem());
});

test.each([
  [300, true, 1],
  [600, true, 1],
  [1024, false, 4],
])('%i MB: scarce %s, %i threads', (megabytes, scarce, threads) => {
  expect(isMemoryScarce(megabytes * 2 ** 20)).toBe(scarce);
  expect(threadCount(4, megabytes * 2 ** 20)).toBe(threads);
});
