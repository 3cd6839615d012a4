import { fromLocal, localDay } from '../../../src/contract/zone.ts';
import { monthAndYear } from './day-words.ts';
import { zone } from './zone.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;

/** The day of a time as `2026-11-14`, in the page's time zone. */
export function dayAt(ms: number): string {
  return localDay(ms, zone());
}

export function isDay(text: string | undefined): text is string {
  return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text));
}

/** The day that is `days` days before another. */
export function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
}

/** 0 for Monday. */
export function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

/** A day in the page's time zone as a start and an end time, for filters that take times. */
export function spanOfDay(day: string): { readonly since: string; readonly until: string } | undefined {
  if (!isDay(day)) return undefined;
  const midnight = (of: string) => fromLocal(Date.parse(of), zone());
  return {
    since: new Date(midnight(day)).toISOString(),
    until: new Date(midnight(dayBefore(day, -1)) - 1).toISOString(),
  };
}

/** The date group that a time belongs to in a list. */
export function dateGroup(at: string, now: number): string {
  const day = dayAt(Date.parse(at));
  const today = dayAt(now);
  if (day === today) return 'Today';
  if (day === dayBefore(today, 1)) return 'Yesterday';
  if (day > dayBefore(today, 7)) return 'Last 7 days';
  return isDay(day) ? monthAndYear(day) : day;
}
