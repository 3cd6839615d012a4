import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The current time for text; changes once a second. */
export const second = signal(Date.now());
/** The current time for what moves; changes more often. */
export const moment = signal(Date.now());

const MOVES_MS = 100;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Runs the clock while the view is shown; with reduced motion, everything moves once a second. */
export function useClock(): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      const now = Date.now();
      if (now - second.value >= 1_000) second.value = now;
      if (!still.matches || now - moment.value >= 1_000) moment.value = now;
    }, MOVES_MS);
    second.value = Date.now();
    return () => clearInterval(timer);
  }, []);
}
