import { expect, test } from 'vitest';
import { timeOf } from './time.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const DAY = 86_400_000;

test.each([
  ['2026-11-14T21:40:05Z', Date.parse('2026-11-14T21:40:05Z')],
  ['2026-11-14T21:40:05+09:00', Date.parse('2026-11-14T12:40:05Z')],
  ['2026-11-14', Date.parse('2026-11-14')],
  ['2026-11', Date.parse('2026-11-01')],
  ['30m', NOW - 30 * 60_000],
  ['12h', NOW - 12 * 3_600_000],
  ['7d', NOW - 7 * DAY],
  ['2 w', NOW - 14 * DAY],
  ['1 week ago', NOW - 7 * DAY],
  ['an hour ago', NOW - 3_600_000],
  ['3 months', NOW - 90 * DAY],
  ['2 years ago', NOW - 730 * DAY],
  ['today', Date.parse('2026-11-15')],
  ['Yesterday', Date.parse('2026-11-14')],
  [1_794_700_000_000, 1_794_700_000_000],
])('%s', (given, ms) => {
  expect(timeOf('since', given, NOW, 'UTC')).toBe(ms);
});

test.each(['tomorrowish', 'version 2', '5', '2026-13-01', '', {}])('%j is no time', (given) => {
  expect(() => timeOf('since', given, NOW, 'UTC')).toThrow('since must be a date or time such as');
});

test.each([
  ['UTC', '2026-11-14T00:00:00Z', '2026-11-14T23:59:59.999Z'],
  ['Asia/Tokyo', '2026-11-13T15:00:00Z', '2026-11-14T14:59:59.999Z'],
  ['America/New_York', '2026-11-14T05:00:00Z', '2026-11-15T04:59:59.999Z'],
])('a date alone is a whole day in %s', (zone, begins, ends) => {
  expect(timeOf('since', '20261114', NOW, zone)).toBe(Date.parse(begins));
  expect(timeOf('until', '2026-11-14', NOW, zone)).toBe(Date.parse(ends));
});

test('the day on which clocks are set back has 25 hours', () => {
  const zone = 'Europe/Berlin';
  expect(timeOf('since', '2026-10-25', NOW, zone)).toBe(Date.parse('2026-10-24T22:00:00Z'));
  expect(timeOf('until', '2026-10-25', NOW, zone)).toBe(Date.parse('2026-10-25T22:59:59.999Z'));
});

test('a time without an offset is local', () => {
  expect(timeOf('since', '2026-11-14T10:00', NOW, 'Asia/Tokyo')).toBe(Date.parse('2026-11-14T01:00:00Z'));
  expect(timeOf('since', '2026-11-14T10:00Z', NOW, 'Asia/Tokyo')).toBe(Date.parse('2026-11-14T10:00:00Z'));
});

test('today begins at midnight of the zone', () => {
  // In Tokyo it is already the 16th.
  const late = Date.parse('2026-11-15T16:00:00Z');
  expect(timeOf('since', 'today', late, 'Asia/Tokyo')).toBe(Date.parse('2026-11-15T15:00:00Z'));
  expect(timeOf('until', 'yesterday', late, 'Asia/Tokyo')).toBe(Date.parse('2026-11-15T14:59:59.999Z'));
});
