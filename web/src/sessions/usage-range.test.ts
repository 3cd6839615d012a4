import { expect, test } from 'vitest';
import { bucketOf, bucketsOf, daysOfBucket, rangeBefore, rangeOf } from './usage-range.ts';

const NOW = new Date('2026-11-16T10:00').getTime();

test('a range is two days, or the last days', () => {
  expect(rangeOf(NOW, { since: '7d' })).toEqual({ from: '2026-11-10', to: '2026-11-16', days: 7 });
  expect(rangeOf(NOW, { from: '2026-10-01', to: '2026-10-31', since: '7d' })).toEqual({
    from: '2026-10-01',
    to: '2026-10-31',
    days: 31,
  });
  expect(rangeOf(NOW, { from: '2026-11-01', to: 'x', since: '7d' }).to).toBe('2026-11-16');
  expect(rangeOf(NOW, { from: '2026-13-99', since: '30d' }).days).toBe(30);
});

test('the range before has as many days and ends the day before', () => {
  const range = rangeOf(NOW, { from: '2026-10-01', to: '2026-10-31', since: '7d' });
  expect(rangeBefore(range)).toEqual({ from: '2026-08-31', to: '2026-09-30', days: 31 });
});

test('long ranges have weeks or months, and each has its days', () => {
  expect([bucketOf(30), bucketOf(365), bucketOf(900)]).toEqual(['day', 'week', 'month']);
  const range = { from: '2026-10-28', to: '2026-11-16', days: 20 };
  expect(bucketsOf(range, 'week')).toEqual(['2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16']);
  expect(bucketsOf(range, 'month')).toEqual(['2026-10', '2026-11']);
  expect(bucketsOf(range, 'day')).toHaveLength(20);
  expect(daysOfBucket('2026-10-26', 'week', range)).toEqual({
    from: '2026-10-28',
    to: '2026-11-01',
    days: 5,
  });
  expect(daysOfBucket('2026-11', 'month', range)).toEqual({ from: '2026-11-01', to: '2026-11-16', days: 16 });
  expect(daysOfBucket('2026-11-02', 'day', range).days).toBe(1);
});
