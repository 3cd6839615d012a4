import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, ApiError, call } from '../data/client.ts';
import type { StepCard } from './types.ts';

interface StepPage {
  readonly steps: readonly StepCard[];
}

interface TurnSteps {
  readonly steps: StepCard[];
  cursor: string | undefined;
  done: boolean;
  loading: boolean;
}

export interface Steps {
  /** A step if it is here; otherwise it is asked for. */
  step(turn: number, step: number): StepCard | undefined;
}

/** Steps of turns, fetched when they come into sight. When the session grows, its last turn is read again. */
export function useSteps(base: string, events: number, lastTurn: number): Steps {
  const known = useRef(new Map<number, TurnSteps>());
  const wanted = useRef(new Map<number, number>());
  const stop = useRef(new AbortController());
  const [, redraw] = useState(0);
  useEffect(() => {
    stop.current = new AbortController();
    return () => stop.current.abort();
  }, [base]);
  useEffect(() => {
    known.current.delete(lastTurn);
    redraw((n) => n + 1);
  }, [events, lastTurn]);

  const load = useCallback(
    async (turn: number) => {
      const entry: TurnSteps = known.current.get(turn) ?? {
        steps: [],
        cursor: undefined,
        done: false,
        loading: false,
      };
      known.current.set(turn, entry);
      if (entry.loading || entry.done) return;
      entry.loading = true;
      try {
        // One page after the other until the step that is looked at is here.
        while (!entry.done && entry.steps.length <= (wanted.current.get(turn) ?? 0)) {
          const query =
            entry.cursor === undefined ? 'limit=100' : `cursor=${encodeURIComponent(entry.cursor)}`;
          const answer: Answer<StepPage> = await call<StepPage>(
            'GET',
            `${base}/turns/${turn}/steps?${query}`,
            {
              signal: stop.current.signal,
            },
          );
          entry.steps.push(...answer.data.steps);
          entry.cursor = answer.pagination?.next_cursor;
          entry.done = entry.cursor === undefined;
          redraw((n) => n + 1);
        }
      } catch (error) {
        if (!(error instanceof ApiError) && !stop.current.signal.aborted) throw error;
        entry.done = true;
      } finally {
        entry.loading = false;
      }
    },
    [base],
  );

  return {
    step(turn, step) {
      const found = known.current.get(turn)?.steps[step];
      if (found === undefined) {
        wanted.current.set(turn, Math.max(step, wanted.current.get(turn) ?? 0));
        void load(turn);
      }
      return found;
    },
  };
}
