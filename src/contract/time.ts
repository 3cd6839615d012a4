import { fail } from './errors.ts';
import { fromLocal, localDay } from './zone.ts';

export const DAY_MS = 86_400_000;
const AGES: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
  w: 7 * DAY_MS,
  mo: 30 * DAY_MS,
  y: 365 * DAY_MS,
};

/** `7d`, `2 weeks`, `an hour ago`. */
const AGE =
  /^(\d{1,6}|an?)\s*(?:(m|mins?|minutes?)|(h|hours?)|(d|days?)|(w|weeks?)|(mo|months?)|(y|years?))(?:\s+ago)?$/i;
const UNITS = ['m', 'h', 'd', 'w', 'mo', 'y'];

/** A date alone; those without hyphens too. */
const DATE = /^(\d{4})-?(\d{2})-?(\d{2})$/;
/** The beginning of every ISO time: other texts are not left to Date.parse, which finds a year in almost anything. */
const ISO = /^\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}.*)?)?$/;
/** An ISO time that names its own offset from UTC. */
const WITH_OFFSET = /\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * A time in milliseconds since 1970, given as ISO text, as an age such as `7d` or `1 week ago`, as `today` or
 * `yesterday`, or as such milliseconds. A day is a whole day: `since` begins with it, `until` ends with it. Days and
 * times without an offset are those of the zone.
 */
export function timeOf(name: string, given: unknown, now: number, zone: string): number | undefined {
  if (given === undefined) return undefined;
  const words = String(given).trim();
  const [, amount, ...units] = AGE.exec(words) ?? [];
  if (amount !== undefined) {
    const unit = UNITS[units.findIndex((word) => word !== undefined)] ?? 'd';
    return now - (/\d/.test(amount) ? Number(amount) : 1) * (AGES[unit] ?? 0);
  }
  const ms = momentOf(dayNamed(words, now, zone) ?? words, name === 'until', zone);
  if (Number.isNaN(ms)) {
    fail(
      'invalid_parameter',
      `${name} must be a date or time such as 2026-11-14 or 2026-11-14T21:40Z, today, yesterday, or an age such as 7d (m, h, d, w, mo or y).`,
    );
  }
  return ms;
}

function dayNamed(words: string, now: number, zone: string): string | undefined {
  const today = localDay(now, zone);
  if (words.toLowerCase() === 'today') return today;
  const yesterday = new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, 10);
  return words.toLowerCase() === 'yesterday' ? yesterday : undefined;
}

function momentOf(words: string, atEnd: boolean, zone: string): number {
  const date = DATE.exec(words)?.slice(1).join('-');
  if (date !== undefined) {
    const day = Date.parse(date);
    return atEnd ? fromLocal(day + DAY_MS, zone) - 1 : fromLocal(day, zone);
  }
  if (/^\d{11,16}$/.test(words)) return Number(words);
  if (!ISO.test(words)) return Number.NaN;
  if (WITH_OFFSET.test(words)) return Date.parse(words);
  return fromLocal(Date.parse(words.includes(':') ? `${words}Z` : words), zone);
}

/** A time as answers have it; nothing where there is none. */
export function isoTime(ms: number): string;
export function isoTime(ms: number | undefined): string | undefined;
export function isoTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
