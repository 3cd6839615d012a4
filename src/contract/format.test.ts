import { expect, test } from 'vitest';
import { momentText } from './format.ts';

test.each([
  [0, '1970-01-01T00:00:00Z'],
  [-1_500, '1969-12-31T23:59:58Z'],
  [1_794_737_394_123.75, '2026-11-15T10:09:54Z'],
  [8.64e15, '+275760-09-13T00:00:00Z'],
  [8.65e15, 'unknown'],
  [-1e17, 'unknown'],
  [Number.NaN, 'unknown'],
])('the moment %d is %s', (at, text) => {
  expect(momentText(at)).toBe(text);
});
