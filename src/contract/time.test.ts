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

test.each(['yesterday', '7 years', 'version 2', '5', '2026-13-01', '', {}])('%j is no time', (given) => {
  expect(() => timeOf('since', given, NOW)).toThrow('since must be a time such as');
});

test('a date alone is a whole day: of UTC, or of where the machine stands', () => {
  const day = Date.parse('2026-11-14');
  expect(timeOf('since', '20261114', NOW)).toBe(day);
  expect(timeOf('until', '2026-11-14', NOW)).toBe(day + 86_400_000 - 1);
  expect(timeOf('since', '2026-11-14', NOW, 'local')).toBe(new Date(2026, 10, 14).getTime());
  expect(timeOf('until', '2026-11-14T10:00Z', NOW)).toBe(day + 36_000_000);
});
