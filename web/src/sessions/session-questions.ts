import type { InputOf } from '../data/operations.ts';
import type { Place } from '../frame/router.ts';
import { dayAt, dayBefore, spanOfDay, weekdayOf } from '../ui/days.ts';
import { LISTED_FIELDS } from './session-cards.ts';
import { bucketOf, rangeBefore, rangeOf } from './usage-range.ts';

export const SORTS = ['newest', 'tokens', 'cost', 'failed'] as const;
const LISTED_AT_ONCE = 50;

const from = ({ query }: Place) => {
  return (name: string) => query.get(name) ?? undefined;
};

/** The filters of the list of sessions. */
export function listFilters(place: Place) {
  const param = from(place);
  const day = spanOfDay(param('day') ?? '');
  return {
    provider: param('provider'),
    project: param('project'),
    machine: param('machine'),
    person: param('person'),
    since: day?.since ?? param('since'),
    until: day?.until,
    failed: param('failed') === 'true' || undefined,
    starred: param('starred') === 'true' || undefined,
  };
}

export function listSort(place: Place): (typeof SORTS)[number] {
  return SORTS.find((name) => name === place.query.get('sort')) ?? 'newest';
}

export function listInput(place: Place): InputOf<'list_sessions'> {
  return { ...listFilters(place), sort: listSort(place), fields: LISTED_FIELDS, limit: LISTED_AT_ONCE };
}

export const CALENDAR_WEEKS = 52;

/** The first day of the calendar, a Monday. */
export function calendarStart(now: number): string {
  const today = dayAt(now);
  return dayBefore(today, CALENDAR_WEEKS * 7 + weekdayOf(today));
}

export function calendarInput(now: number): InputOf<'usage'> {
  return { by: 'day', since: calendarStart(now), limit: 400 };
}

export const PROJECTS_INPUT = { limit: 100 } as const;
export const EDITED_FILES_INPUT = { limit: 50 } as const;

export const EVENT_TYPES = [
  'user',
  'message',
  'reasoning',
  'tool_call',
  'tool_result',
  'notification',
] as const;

/** The inputs of a search: one for all matches, and one for those in prompts, which come first. */
export function searchInputs(place: Place): {
  readonly matches: InputOf<'search_event_previews'> | undefined;
  readonly prompts: InputOf<'search_event_previews'> | undefined;
} {
  const param = from(place);
  const query = param('q') ?? '';
  const meaning = param('meaning') === 'true';
  const type = EVENT_TYPES.find((name) => name === param('type'));
  const failed = param('status') === 'failed';
  const where = {
    session_id: param('session'),
    since: param('since'),
    project: param('project'),
    provider: param('provider'),
    machine: param('machine'),
    person: param('person'),
    limit: 50,
  };
  const asked = query !== '';
  if (meaning) return { matches: asked ? { query, meaning, ...where } : undefined, prompts: undefined };
  const input = {
    query,
    regex: param('regex') === 'true',
    status: failed ? ('failed' as const) : undefined,
    ...where,
  };
  return {
    matches: asked ? { ...input, event_type: type } : undefined,
    prompts: asked && type === undefined && !failed ? { ...input, event_type: 'user' } : undefined,
  };
}

export const USAGE_BY = [
  ['model', 'Model'],
  ['project', 'Project'],
  ['agent', 'Agent'],
  ['session', 'Session'],
  ['day', 'Day'],
] as const;
/** Groupings that only a team server has. */
export const TEAM_BY = [
  ['person', 'Person'],
  ['machine', 'Machine'],
] as const;
export const USAGE_SPANS = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['365d', 'Year'],
] as const;

/** What bars are stacked by. */
export type Split = 'model' | 'project' | 'agent';

/** Groupings that need a separate request, because the bars have no such parts. */
export function isApart(by: string): by is 'session' | 'person' | 'machine' {
  return by === 'session' || TEAM_BY.some(([id]) => id === by);
}

/** What the dashboard shows, and the input that loads it. */
export function usageQuestion(place: Place, now: number) {
  const param = from(place);
  const by = [...USAGE_BY, ...TEAM_BY].find(([id]) => id === param('by'))?.[0] ?? 'model';
  const since = USAGE_SPANS.find(([id]) => id === param('since'))?.[0] ?? '30d';
  const range = rangeOf(now, { from: param('from'), to: param('to'), since });
  const before = rangeBefore(range);
  const bucket = bucketOf(range.days);
  const split: Split = by === 'project' || by === 'agent' ? by : 'model';
  const apart = isApart(by) ? by : undefined;
  const filter = {
    project: param('project'),
    provider: param('provider'),
    model: param('model'),
    machine: param('machine'),
    person: param('person'),
  };
  const inRange = { ...filter, since: range.from, until: range.to };
  const bars: InputOf<'usage'> = { ...inRange, by: bucket, split, limit: 200 };
  const past: InputOf<'usage'> = { ...filter, by: split, since: before.from, until: before.to, limit: 1000 };
  return { by, since, range, bucket, split, apart, inRange, bars, past };
}

const TURNS_AT_ONCE = 50;
const STEPS_AT_ONCE = 100;

export function turnsInput(session_id: string) {
  return { session_id, limit: TURNS_AT_ONCE };
}

export function stepsInput(session_id: string, turn_index: number) {
  return { session_id, turn_index, limit: STEPS_AT_ONCE };
}
