import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { ApiError } from '../data/client.ts';
import { cardsOf, LISTED_FIELDS, type SessionCard } from './session-cards.ts';

/** One page of the list. */
const CARDS_AT_ONCE = 50;

/** The cards of sessions, by the ids they were requested under; missing ones are requested together. */
export function useCards(ids: readonly string[]): ReadonlyMap<string, SessionCard> {
  const [known, setKnown] = useState<ReadonlyMap<string, SessionCard>>(new Map());
  const asked = useRef(new Set<string>());
  useEffect(() => {
    const missing = ids.filter((id) => !asked.current.has(id));
    for (const id of missing) asked.current.add(id);
    for (let at = 0; at < missing.length; at += CARDS_AT_ONCE) {
      const some = missing.slice(at, at + CARDS_AT_ONCE);
      call('list_sessions', { ids: some.join(','), fields: LISTED_FIELDS, limit: CARDS_AT_ONCE }).then(
        ({ data }) => setKnown((before) => new Map([...before, ...cardsOf(data).map(byId)])),
        (error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
          // They are shown with their ids, and requested again with the next ones.
          for (const id of some) asked.current.delete(id);
        },
      );
    }
  }, [ids.join()]);
  return known;
}

const byId = (card: SessionCard) => [card.id, card] as const;
