import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../data/client.ts';
import { GrowingList } from '../data/growing-list.ts';
import { stepsInput } from './session-questions.ts';
import type { StepCard } from './types.ts';

export interface Steps {
  /** A step, if it is loaded; otherwise starts loading it. */
  step(turn: number, step: number): StepCard | undefined;
}

/**
 * The steps of turns, loaded when they become visible. When the session grows, its last turn is loaded again; the shown
 * steps stay until then.
 */
export function useSteps(session: string, events: number, lastTurn: number): Steps {
  const known = useMemo(() => new Map<number, GrowingList<'get_turn_steps', StepCard>>(), [session]);
  const stop = useRef(new AbortController());
  const [, redraw] = useState(0);
  const show = () => redraw((n) => n + 1);
  const quietly = (work: Promise<void>) =>
    void work.catch((error: unknown) => {
      if (!stop.current.signal.aborted && !(error instanceof ApiError)) throw error;
    });
  useEffect(() => {
    stop.current = new AbortController();
    return () => stop.current.abort();
  }, [session]);
  useEffect(() => {
    // And the turn before, which ended when the last one started.
    for (const turn of [lastTurn - 1, lastTurn]) {
      const list = known.get(turn);
      if (list?.done) quietly(list.refresh(stop.current.signal, show));
    }
  }, [events, lastTurn]);

  return {
    step(turn, step) {
      const list =
        known.get(turn) ?? new GrowingList('get_turn_steps', stepsInput(session, turn), (data) => data.steps);
      known.set(turn, list);
      const found = list.rows[step];
      if (found === undefined && !list.done) quietly(list.read(step + 1, stop.current.signal, show));
      return found;
    },
  };
}
