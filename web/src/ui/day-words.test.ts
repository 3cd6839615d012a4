import { expect, test } from 'vitest';
import { dayAndMonth, monthAndYear, shortMonth, shortMonthAndYear, weekdayAndDate } from './day-words.ts';

test('a day in words', () => {
  const day = '2026-11-04';
  expect([
    monthAndYear(day),
    shortMonth(day),
    shortMonthAndYear(day),
    dayAndMonth(day),
    weekdayAndDate(day),
  ]).toEqual(['November 2026', 'Nov', 'Nov 26', '4 Nov', 'Wed 4 Nov 2026']);
});

test('the first and the last day of a year', () => {
  expect(['2027-01-01', '2026-12-31'].map(weekdayAndDate)).toEqual(['Fri 1 Jan 2027', 'Thu 31 Dec 2026']);
});

test('a month without a day', () => {
  expect(shortMonthAndYear('2026-02')).toBe('Feb 26');
});
