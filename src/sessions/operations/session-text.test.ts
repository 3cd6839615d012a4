import { expect, test } from 'vitest';
import { clock, shortTime } from './session-text.ts';

const now = Date.parse('2026-11-15T00:00:00Z');

test.each([
  ['UTC', '2026-07-14T21:40:05Z', '07-14 21:40', '07-14'],
  ['Asia/Tokyo', '2026-07-14T21:40:05Z', '07-15 06:40', '07-15'],
  ['UTC', '2025-07-14T21:40:05Z', '2025-07-14 21:40', '2025-07-14'],
  // In Tokyo the year began nine hours before.
  ['Asia/Tokyo', '2025-12-31T15:40:05Z', '01-01 00:40', '01-01'],
  ['Asia/Tokyo', '2026-11-14T16:00:00Z', '11-15 01:00', '01:00'],
  ['UTC', 'unknown', '-', '-'],
])('in %s, %s is shown as %s, or in short %s', (zone, time, long, short) => {
  expect(clock(time, { now, zone })).toBe(long);
  expect(shortTime(time, { now, zone })).toBe(short);
});
