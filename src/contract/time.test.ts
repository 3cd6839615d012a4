import { expect, test } from 'vitest';
import { timeOf } from './time.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');

test.each([
  ['2026-11-14T21:40:05Z', Date.parse('2026-11-14T21:40:05Z')],
  ['2026-11-14', Date.parse('2026-11-14')],
  ['30m', NOW - 30 * 60_000],
  ['12h', NOW - 12 * 3_600_000],
  ['7d', NOW - 7 * 86_400_000],
  ['2 w', NOW - 14 * 86_400_000],
  [1_794_700_000_000, 1_794_700_000_000],
])('%s', (given, ms) => {
  expect(timeOf('since', given, NOW)).toBe(ms);
});

test.each(['yesterday', '7 years', '', {}])('%j is no time', (given) => {
  expect(() => timeOf('since', given, NOW)).toThrow('since must be a time such as');
});
