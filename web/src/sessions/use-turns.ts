import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError, epoch } from '../data/client.ts';
import { GrowingList } from '../data/growing.ts';
import type { TurnCard, TurnPage } from './types.ts';

export interface KnownTurns {
  readonly turns: readonly TurnCard[];
  /** True when these are all. */
  readonly done: boolean;
}

/** All turns of a session, page after page; when the session grows, what is new is read. */
export function useTurns(base: string, events: number): KnownTurns {
  const list = useMemo(
    () => new GrowingList<TurnPage, TurnCard>(`${base}/turns`, 'limit=50', (data) => data.turns),
    [base],
  );
  const [state, setState] = useState<KnownTurns>({ turns: [], done: false });
  useEffect(() => {
    if (events === 0) return;
    const stop = new AbortController();
    const show = () => setState({ turns: list.rows, done: list.done });
    const work = list.done
      ? list.refresh(stop.signal, show)
      : list.read(Number.POSITIVE_INFINITY, stop.signal, show);
    work.catch((error: unknown) => {
      if (!stop.signal.aborted && !(error instanceof ApiError)) throw error;
    });
    return () => stop.abort();
  }, [list, events, epoch.value]);
  return state;
}
