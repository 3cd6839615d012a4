import { agoText, countOf } from './format.ts';

const DAY_MS = 86_400_000;
const MONTH_MS = 30.44 * DAY_MS;

/** How long ago, as people say it: `2h ago`, `12 days ago`, `7 months ago`, `6.6 years ago`. */
export function ageText(at: number, now: number): string {
  const ms = now - at;
  if (ms < DAY_MS) return agoText(at, now);
  if (ms < 60 * DAY_MS) return `${countOf(Math.round(ms / DAY_MS), 'day')} ago`;
  if (ms < 24 * MONTH_MS) return `${Math.round(ms / MONTH_MS)} months ago`;
  return `${(ms / MONTH_MS / 12).toFixed(1)} years ago`;
}
