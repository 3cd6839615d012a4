import { dayOf, daysBefore } from '../ui/days.ts';

/** Whole local days, both ends included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** At noon, so that a change of the clock does not move it to another day. */
function noon(day: string): Date {
  return new Date(`${day}T12:00`);
}

function isDay(text: string | undefined): text is string {
  return text !== undefined && DAY.test(text) && !Number.isNaN(noon(text).getTime());
}

function daysIn(from: string, to: string): number {
  return Math.round((noon(to).getTime() - noon(from).getTime()) / DAY_MS) + 1;
}

/** The range of an address: two days if they are valid, otherwise the last days such as `30d`. */
export function rangeOf(
  now: number,
  given: { readonly from?: string | undefined; readonly to?: string | undefined; readonly since: string },
): DayRange {
  const today = dayOf(new Date(now));
  if (isDay(given.from)) {
    const to = isDay(given.to) && given.to >= given.from ? given.to : today;
    if (to >= given.from) return { from: given.from, to, days: daysIn(given.from, to) };
  }
  const days = Number.parseInt(given.since, 10) || 30;
  return { from: dayOf(daysBefore(now, days - 1)), to: today, days };
}

/** As many days right before a range. */
export function rangeBefore({ from, days }: DayRange): DayRange {
  const at = noon(from).getTime();
  return { from: dayOf(daysBefore(at, days)), to: dayOf(daysBefore(at, 1)), days };
}

export type Bucket = 'day' | 'week' | 'month';

/** What one bar of a chart is: as fine as fits. */
export function bucketOf(days: number): Bucket {
  return days <= 92 ? 'day' : days <= 550 ? 'week' : 'month';
}

/** The names of all buckets of a range, as the operation names them: days, Mondays or months. */
export function bucketsOf(range: DayRange, bucket: Bucket): readonly string[] {
  const names = new Set<string>();
  const start = noon(range.from).getTime();
  for (let day = 0; day < range.days; day++) {
    const date = dayOf(daysBefore(start, -day));
    names.add(bucket === 'day' ? date : bucket === 'month' ? date.slice(0, 7) : mondayOf(date));
  }
  return [...names];
}

function mondayOf(day: string): string {
  const date = noon(day);
  return dayOf(daysBefore(date.getTime(), (date.getDay() + 6) % 7));
}

/** The days of a bucket, as far as they are in the range. */
export function daysOfBucket(name: string, bucket: Bucket, range: DayRange): DayRange {
  const first = bucket === 'month' ? `${name}-01` : name;
  const start = noon(first);
  const length =
    bucket === 'day'
      ? 1
      : bucket === 'week'
        ? 7
        : new Date(start.getFullYear(), start.getMonth() + 1, 0).getDate();
  const last = dayOf(daysBefore(start.getTime(), 1 - length));
  const [from = first] = [first, range.from].sort().reverse();
  const [to = last] = [last, range.to].sort();
  return { from, to, days: daysIn(from, to) };
}
