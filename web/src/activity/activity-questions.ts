import type { Place } from '../frame/router.ts';

export const SPANS = [
  ['1', 'Day'],
  ['7', 'Week'],
  ['30', 'Month'],
] as const;
type Days = (typeof SPANS)[number][0];

export const WHO = [
  ['agents', 'Agents and scripts'],
  ['people', 'People'],
  ['all', 'Everyone'],
] as const;

export const CALLS_AT_ONCE = 500;

/** What the overview of calls shows, and the inputs that load it. */
export function activityQuestion({ query }: Place) {
  const days: Days = SPANS.find(([value]) => value === query.get('days'))?.[0] ?? '1';
  const who = WHO.find(([value]) => value === query.get('who'))?.[0] ?? 'agents';
  const operation = query.get('operation') ?? undefined;
  const caller = who === 'all' ? undefined : who;
  return {
    days,
    who,
    operation,
    stats: { days: Number(days), who: caller },
    calls: { limit: CALLS_AT_ONCE, operation, who: caller },
  };
}
