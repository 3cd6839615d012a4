import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../data/client.ts';
import { GrowingList } from '../data/growing.ts';
import type { StepCard, StepPage } from './types.ts';

export interface Steps {
  /** A step if it is here; otherwise it is asked for. */
  step(turn: number, step: number): StepCard | undefined;
}

/**
 * Steps of turns, fetched when they come into sight. When the session grows, its last turn is read again; the steps
 * that are shown stay until then.
 */
export function useSteps(base: string, events: number, lastTurn: number): Steps {
  const known = useMemo(() => new Map<number, GrowingList<StepPage, StepCard>>(), [base]);
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
  }, [base]);
  useEffect(() => {
    // The one before it too: it ended when the last one began.
    for (const turn of [lastTurn - 1, lastTurn]) {
      const list = known.get(turn);
      if (list?.done) quietly(list.refresh(stop.current.signal, show));
    }
  }, [events, lastTurn]);

  return {
    step(turn, step) {
      const list =
        known.get(turn) ??
        new GrowingList<StepPage, StepCard>(`${base}/turns/${turn}/steps`, 'limit=100', (data) => data.steps);
      known.set(turn, list);
      const found = list.rows[step];
      if (found === undefined && !list.done) quietly(list.read(step + 1, stop.current.signal, show));
      return found;
    },
  };
}
