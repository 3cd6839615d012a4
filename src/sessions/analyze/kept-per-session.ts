import { Lru } from '../../contract/lru.ts';
import type { SessionRow } from '../store/session-row.ts';

/** How many sessions have their results kept; those of a session of 100 MB take a few megabytes. */
const SESSIONS_KEPT = 4;

/** Makes something slow once for every state of a session: a log only grows, and its row changes with it. */
export function keptPerSession<Made>(
  make: (session: SessionRow) => Promise<Made>,
): (session: SessionRow) => Promise<Made> {
  const kept = new Lru<number, { readonly state: string; readonly made: Promise<Made> }>({
    most: SESSIONS_KEPT,
  });
  return (session) => {
    const state = JSON.stringify(session);
    const known = kept.get(session.key);
    if (known?.state === state) return known.made;
    const made = make(session);
    kept.set(session.key, { state, made });
    made.catch(() => {
      if (kept.peek(session.key)?.made === made) kept.delete(session.key);
    });
    return made;
  };
}
