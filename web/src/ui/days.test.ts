import { afterEach, expect, test } from 'vitest';
import { dateGroup, dayAt, dayBefore, spanOfDay, weekdayOf } from './days.ts';
import { shortTime } from './time.tsx';
import { chooseZone, zone } from './zone.ts';

afterEach(() => chooseZone(undefined));

const now = new Date('2026-11-15T21:00').getTime();

test('dates are grouped as people count them', () => {
  const groups = [
    '2026-11-15T00:10',
    '2026-11-14T23:50',
    '2026-11-10T10:00',
    '2026-10-02T10:00',
    '2025-11-15T10:00',
  ];
  expect(groups.map((at) => dateGroup(at, now))).toEqual([
    'Today',
    'Yesterday',
    'Last 7 days',
    'October 2026',
    'November 2025',
  ]);
});

test('a day is from midnight to midnight, local time', () => {
  const span = spanOfDay('2026-11-14');
  expect(dayAt(Date.parse(span?.since ?? ''))).toBe('2026-11-14');
  expect(dayAt(Date.parse(span?.until ?? ''))).toBe('2026-11-14');
  expect(spanOfDay('yesterday')).toBeUndefined();
  expect(dayBefore(dayAt(now), 15)).toBe('2026-10-31');
});

test('days and times are those of the zone that was chosen', () => {
  const late = Date.parse('2025-11-14T22:30:00Z');
  chooseZone('Asia/Tokyo');
  expect([zone(), dayAt(late), shortTime(late)]).toEqual(['Asia/Tokyo', '2025-11-15', '2025-11-15']);
  expect(dateGroup('2025-11-14T22:30:00Z', Date.parse('2025-11-15T10:00:00Z'))).toBe('Today');
  chooseZone('America/New_York');
  expect(dayAt(late)).toBe('2025-11-14');
  expect(dateGroup('2025-11-14T22:30:00Z', Date.parse('2025-11-15T10:00:00Z'))).toBe('Yesterday');
  // The clocks go back on that day, which has 25 hours.
  expect(spanOfDay('2026-11-01')).toEqual({
    since: '2026-11-01T04:00:00.000Z',
    until: '2026-11-02T04:59:59.999Z',
  });
  expect(weekdayOf('2026-11-01')).toBe(6);
});
