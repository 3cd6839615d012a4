import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError, epoch } from '../data/client.ts';
import { GrowingList } from '../data/growing-list.ts';
import { turnsInput } from './session-questions.ts';
import type { TurnCard } from './types.ts';

export interface KnownTurns {
  readonly turns: readonly TurnCard[];
  /** True when all turns are loaded. */
  readonly done: boolean;
}

/**
 * All turns of a session, loaded page by page, without waiting to know how many events it has; when the session grows,
 * the new ones are loaded.
 */
export function useTurns(session: string, events: number, live: boolean): KnownTurns {
  const list = useMemo(
    () => new GrowingList('get_session_turns', turnsInput(session), (data) => data.turns),
    [session],
  );
  const [state, setState] = useState<KnownTurns>(() => ({ turns: list.rows, done: list.done }));
  const update = (stop: AbortController) => {
    const show = () => setState({ turns: list.rows, done: list.done });
    const work = list.done
      ? list.refresh(stop.signal, show)
      : list.read(Number.POSITIVE_INFINITY, stop.signal, show);
    work.catch((error: unknown) => {
      if (!stop.signal.aborted && !(error instanceof ApiError)) throw error;
    });
    return () => stop.abort();
  };
  const begun = useRef(epoch.value);
  useLayoutEffect(() => {
    const again = begun.current !== epoch.value;
    begun.current = epoch.value;
    // All that was asked for ahead may already be there.
    return list.done && !again ? undefined : update(new AbortController());
  }, [list, epoch.value]);
  const seen = useRef(0);
  useEffect(() => {
    const first = seen.current === 0;
    seen.current = events;
    // Its turns were asked for together with its events, and a session that has ended has not changed since.
    if (events === 0 || (first && !live && list.rows.length > 0)) return;
    return update(new AbortController());
  }, [list, events]);
  return state;
}
