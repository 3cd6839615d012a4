import type { SessionCard } from '../../../src/sessions/operations/session-card.ts';
import type { DataOf } from '../data/operations.ts';

export type { SessionCard };

/** The cards of a list of sessions. */
export function cardsOf({ sessions }: DataOf<'list_sessions'>): readonly SessionCard[] {
  // Cards are complete unless the call chooses `fields`, which the page never does.
  return sessions as readonly SessionCard[];
}
