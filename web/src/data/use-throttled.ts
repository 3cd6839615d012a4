import { useCallback, useEffect, useRef } from 'preact/hooks';

/** Runs the work at most every `ms`; the last request is never lost. */
export function useThrottled(ms: number, work: () => void): () => void {
  const latest = useRef(work);
  latest.current = work;
  const state = useRef<{ at: number; timer: ReturnType<typeof setTimeout> | undefined }>({
    at: 0,
    timer: undefined,
  });
  useEffect(() => () => clearTimeout(state.current.timer), []);
  return useCallback(() => {
    if (state.current.timer !== undefined) return;
    const wait = Math.max(0, state.current.at + ms - Date.now());
    state.current.timer = setTimeout(() => {
      state.current = { at: Date.now(), timer: undefined };
      latest.current();
    }, wait);
  }, [ms]);
}
