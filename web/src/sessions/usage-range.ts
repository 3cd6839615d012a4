import { dayAt, dayBefore, isDay, weekdayOf } from '../ui/days.ts';

/** Whole days in the page's time zone, both ends included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

const DAY_MS = 86_400_000;

function daysIn(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** The range in an address: two days if they are valid, otherwise the last days, such as `30d`. */
export function rangeOf(
  now: number,
  given: { readonly from?: string | undefined; readonly to?: string | undefined; readonly since: string },
): DayRange {
  const today = dayAt(now);
  if (isDay(given.from)) {
    const to = isDay(given.to) && given.to >= given.from ? given.to : today;
    if (to >= given.from) return { from: given.from, to, days: daysIn(given.from, to) };
  }
  const days = Number.parseInt(given.since, 10) || 30;
  return { from: dayBefore(today, days - 1), to: today, days };
}

/** The same number of days right before a range. */
export function rangeBefore({ from, days }: DayRange): DayRange {
  return { from: dayBefore(from, days), to: dayBefore(from, 1), days };
}

export type Bucket = 'day' | 'week' | 'month';

/** What one bar of a chart covers: as fine as fits. */
export function bucketOf(days: number): Bucket {
  return days <= 92 ? 'day' : days <= 550 ? 'week' : 'month';
}

/** The names of all buckets of a range, as the operation names them: days, Mondays or months. */
export function bucketsOf(range: DayRange, bucket: Bucket): readonly string[] {
  const names = new Set<string>();
  for (let day = 0; day < range.days; day++) {
    const date = dayBefore(range.from, -day);
    names.add(bucket === 'day' ? date : bucket === 'month' ? date.slice(0, 7) : mondayOf(date));
  }
  return [...names];
}

function mondayOf(day: string): string {
  return dayBefore(day, weekdayOf(day));
}

/** The days of a bucket that are in the range. */
export function daysOfBucket(name: string, bucket: Bucket, range: DayRange): DayRange {
  const first = bucket === 'month' ? `${name}-01` : name;
  const [year, month] = first.split('-').map(Number);
  const length =
    bucket === 'day' ? 1 : bucket === 'week' ? 7 : new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
  const last = dayBefore(first, 1 - length);
  const [from = first] = [first, range.from].sort().reverse();
  const [to = last] = [last, range.to].sort();
  return { from, to, days: daysIn(from, to) };
}
