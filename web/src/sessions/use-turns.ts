import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError, epoch } from '../data/client.ts';
import { GrowingList } from '../data/growing-list.ts';
import { turnsInput } from './session-questions.ts';
import type { TurnCard } from './types.ts';

export interface KnownTurns {
  readonly turns: readonly TurnCard[];
  /** True when all turns are loaded. */
  readonly done: boolean;
}

/** All turns of a session, loaded page by page; when the session grows, the new ones are loaded. */
export function useTurns(session: string, events: number): KnownTurns {
  const list = useMemo(
    () => new GrowingList('get_session_turns', turnsInput(session), (data) => data.turns),
    [session],
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
