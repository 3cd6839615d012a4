import { useEffect, useState } from 'preact/hooks';
import { type Answer, ApiError, call } from '../data/client.ts';
import type { TurnCard } from './types.ts';

interface TurnPage {
  readonly turns: readonly TurnCard[];
}

/** All turns of a session, page after page; asked again when the session grows. */
export function useTurns(
  base: string,
  events: number,
): { readonly turns: readonly TurnCard[]; readonly done: boolean } {
  const [state, setState] = useState<{ readonly turns: readonly TurnCard[]; readonly done: boolean }>({
    turns: [],
    done: false,
  });
  useEffect(() => {
    if (events === 0) return;
    const stop = new AbortController();
    const load = async () => {
      const all: TurnCard[] = [];
      let query = '?limit=50';
      for (;;) {
        const answer: Answer<TurnPage> = await call<TurnPage>('GET', `${base}/turns${query}`, {
          signal: stop.signal,
        });
        all.push(...answer.data.turns);
        const next = answer.pagination?.next_cursor;
        setState((known) => ({
          turns: known.turns.length > all.length ? known.turns : [...all],
          done: next === undefined,
        }));
        if (next === undefined) break;
        query = `?cursor=${encodeURIComponent(next)}`;
      }
      setState({ turns: all, done: true });
    };
    load().catch((error: unknown) => {
      if (!stop.signal.aborted && !(error instanceof ApiError)) throw error;
    });
    return () => stop.abort();
  }, [base, events]);
  return state;
}
