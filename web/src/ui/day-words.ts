/*
 * Days such as `2026-11-14` in words. No formatters: the first one takes a browser 7 ms, which the first view would wait
 * for, and browsers differ in what they write.
 */

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'.split(
  '|',
);
const WEEKDAYS = 'Sun|Mon|Tue|Wed|Thu|Fri|Sat'.split('|');

const monthOf = (day: string) => MONTHS[Number(day.slice(5, 7)) - 1] ?? '';

/** `November 2026` */
export function monthAndYear(day: string): string {
  return `${monthOf(day)} ${day.slice(0, 4)}`;
}

/** `Nov` */
export function shortMonth(day: string): string {
  return monthOf(day).slice(0, 3);
}

/** `Nov 26`, also of a month such as `2026-11`. */
export function shortMonthAndYear(day: string): string {
  return `${shortMonth(day)} ${day.slice(2, 4)}`;
}

/** `4 Nov` */
export function dayAndMonth(day: string): string {
  return `${Number(day.slice(8, 10))} ${shortMonth(day)}`;
}

/** `Wed 4 Nov 2026` */
export function weekdayAndDate(day: string): string {
  return `${WEEKDAYS[new Date(day).getUTCDay()]} ${dayAndMonth(day)} ${day.slice(0, 4)}`;
}
