import { fail } from './errors.ts';

export const DAY_MS = 86_400_000;
const AGES: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
  w: 7 * DAY_MS,
  y: 365 * DAY_MS,
};

/** A date alone; those without hyphens too. */
const DATE = /^(\d{4})-?(\d{2})-?(\d{2})$/;
/** The beginning of every ISO time: other texts are not left to Date.parse, which finds a year in almost anything. */
const ISO = /^\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}.*)?)?$/;

/**
 * A time in milliseconds since 1970, given as ISO text, as an age such as `7d`, or as such milliseconds. A date alone
 * is a whole day: `since` begins with it, `until` ends with it. Days are those of UTC, as in answers, or local ones.
 */
export function timeOf(
  name: string,
  given: unknown,
  now: number,
  days: 'utc' | 'local' = 'utc',
): number | undefined {
  if (given === undefined) return undefined;
  const words = String(given).trim();
  const [, amount, unit] = /^(\d{1,6})\s*([mhdwy])$/.exec(words) ?? [];
  if (amount !== undefined && unit !== undefined) return now - Number(amount) * (AGES[unit] ?? 0);
  const date = DATE.exec(words)?.slice(1).join('-');
  const ms =
    date !== undefined
      ? Date.parse(days === 'utc' ? date : `${date}T00:00`) + (name === 'until' ? DAY_MS - 1 : 0)
      : /^\d{11,16}$/.test(words)
        ? Number(words)
        : ISO.test(words)
          ? Date.parse(words)
          : Number.NaN;
  if (Number.isNaN(ms)) {
    fail(
      'invalid_parameter',
      `${name} must be a time such as 2026-11-14T21:40:05Z, or an age such as 7d (m, h, d, w or y).`,
    );
  }
  return ms;
}

/** A time as answers have it; nothing where there is none. */
export function isoTime(ms: number): string;
export function isoTime(ms: number | undefined): string | undefined;
export function isoTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
