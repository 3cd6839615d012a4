import type { InputOf } from '../data/operations.ts';
import { LISTED_FIELDS } from '../sessions/session-cards.ts';
import { dayAt, dayBefore } from '../ui/days.ts';

/** What Home shows first depends on whether an agent has ever called. */
export const CALLS_OF_A_YEAR = { days: 365, who: 'agents' } as const;
export const RECENT_SESSIONS = { since: '1d', limit: 20, fields: LISTED_FIELDS } as const;
export const SHOWN_DAYS = 30;

/** Token usage on the days that Home shows. */
export function dailyUsage(now: number): InputOf<'usage'> {
  return { by: 'day', since: dayBefore(dayAt(now), SHOWN_DAYS - 1), limit: 60 };
}
