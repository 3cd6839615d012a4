const two = (n: number) => String(n).padStart(2, '0');

/** A local day as `2026-11-14`. */
export function dayOf(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The local day so many days before. */
export function daysBefore(now: number, days: number): Date {
  const day = new Date(now);
  day.setHours(12, 0, 0, 0);
  day.setDate(day.getDate() - days);
  return day;
}

/** A local day as two moments, for filters whose days are those of UTC. */
export function spanOfDay(day: string): { readonly since: string; readonly until: string } | undefined {
  const start = new Date(`${day}T00:00`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(start.getTime())) return undefined;
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return { since: start.toISOString(), until: new Date(end.getTime() - 1).toISOString() };
}

const MONTHS = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });

/** The group of a list by date that a time belongs to. */
export function dateGroup(at: string, now: number): string {
  const day = dayOf(new Date(at));
  if (day === dayOf(new Date(now))) return 'Today';
  if (day === dayOf(daysBefore(now, 1))) return 'Yesterday';
  if (day > dayOf(daysBefore(now, 7))) return 'Last 7 days';
  return MONTHS.format(new Date(at));
}
