import type { SessionCard } from '../../../src/sessions/operations/session-card.ts';
import type { DataOf } from '../data/operations.ts';

export type { SessionCard };

/** What the page asks for: everything that a card always has, and what its table shows besides. */
export const LISTED_FIELDS =
  'id,provider,project_hash,start_time,snippet,turn_count,duration_seconds,total_tokens,failures,title,model,parent_id,project,cost_usd,starred,note,machine,person';

/** The cards of a list of sessions. */
export function cardsOf({ sessions }: DataOf<'list_sessions'>): readonly SessionCard[] {
  // The page asks for complete cards: without `fields`, or with LISTED_FIELDS.
  return sessions as readonly SessionCard[];
}

/** Whose session it is and where it ran, on a team server: `ann on laptop`. */
export function originText({ person, machine }: Pick<SessionCard, 'person' | 'machine'>): string {
  return [person, machine].filter(Boolean).join(' on ');
}
