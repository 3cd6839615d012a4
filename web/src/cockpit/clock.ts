import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The time for what is written in words. */
export const second = signal(Date.now());
/** The time for what moves. */
export const moment = signal(Date.now());

const MOVES_MS = 100;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Lets the clock run while the view is shown; people who want less motion see it move once a second. */
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
