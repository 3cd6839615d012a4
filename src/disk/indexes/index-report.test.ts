import { expect, test } from 'vitest';
import { progressOf } from './index-report.ts';

test('a first scan has no total unless the file system counts its entries', () => {
  const first = { generation: 0, files: 0, dirs: 0 };
  expect(progressOf(first, 8_237, undefined)).toEqual({
    done: 8_237,
    total: undefined,
    unit: 'entries',
    phase: 'scanning',
  });
  expect(progressOf(first, 8_237, 137_749).total).toBe(137_749);
  expect(progressOf(first, 200_000, 137_749).total).toBe(200_000);
});

test('a later scan expects as many entries as the previous generation', () => {
  const later = { generation: 3, files: 900, dirs: 100 };
  expect(progressOf(later, 250, 5_000).total).toBe(1_000);
  expect(progressOf(later, 1_200, undefined).total).toBe(1_200);
});
