import type { SessionCard } from '../../../src/sessions/operations/session-card.ts';
import type { DataOf } from '../data/operations.ts';

export type { SessionCard };

/** The fields that the page requests: everything a card always has, and what its table shows besides. */
export const LISTED_FIELDS =
  'id,provider,project_hash,start_time,snippet,turn_count,duration_seconds,total_tokens,failures,title,model,parent_id,project,cost_usd,starred,note,machine,person';

/** The cards of a list of sessions. */
export function cardsOf({ sessions }: DataOf<'list_sessions'>): readonly SessionCard[] {
  // The page always requests complete cards: without `fields`, or with LISTED_FIELDS.
  return sessions as readonly SessionCard[];
}

/** When the last record of its log was written that has a time, in milliseconds. */
export function lastMsOf({
  start_time,
  duration_seconds = 0,
}: Pick<SessionCard, 'start_time' | 'duration_seconds'>): number {
  return Date.parse(start_time) + duration_seconds * 1_000;
}

/** On a team server, whose session it is and where it ran: `ann on laptop`. */
export function originText({
  person,
  machine,
}: {
  readonly person?: string | undefined;
  readonly machine?: string | undefined;
}): string {
  return [person, machine].filter(Boolean).join(' on ');
}
