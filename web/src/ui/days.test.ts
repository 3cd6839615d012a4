import { expect, test } from 'vitest';
import { dateGroup, dayOf, daysBefore, spanOfDay } from './days.ts';

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
  expect(dayOf(new Date(span?.since ?? ''))).toBe('2026-11-14');
  expect(dayOf(new Date(span?.until ?? ''))).toBe('2026-11-14');
  expect(spanOfDay('yesterday')).toBeUndefined();
  expect(dayOf(daysBefore(now, 15))).toBe('2026-10-31');
});
