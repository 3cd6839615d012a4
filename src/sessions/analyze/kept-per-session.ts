import { Lru } from '../../contract/lru.ts';
import type { SessionRow } from '../store/session-row.ts';

/** How many sessions have their results kept; those of a session of 100 MB take a few megabytes. */
const SESSIONS_KEPT = 4;

/**
 * Makes something slow once for every state of a session, since a log only grows and its row changes with it, and for
 * what else is given.
 */
export function keptPerSession<Given extends readonly unknown[], Made>(
  make: (session: SessionRow, ...given: Given) => Promise<Made>,
): (session: SessionRow, ...given: Given) => Promise<Made> {
  const kept = new Lru<number, { readonly state: string; readonly made: Promise<Made> }>({
    most: SESSIONS_KEPT,
  });
  return (session, ...given) => {
    const state = JSON.stringify([session, given]);
    const known = kept.get(session.key);
    if (known?.state === state) return known.made;
    const made = make(session, ...given);
    kept.set(session.key, { state, made });
    made.catch(() => {
      if (kept.peek(session.key)?.made === made) kept.delete(session.key);
    });
    return made;
  };
}
