import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Pixels from the end at which a reader counts as being there. */
const NEAR = 60;
/** A scroll this soon after a wheel, key or touch is the reader's. */
const OWN_MS = 1_000;
const INPUTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/**
 * Keeps the end of something that scrolls in sight while it grows, as long as the reader is there. Rows that are
 * measured late move the end too: only the reader's own scrolling leaves it.
 */
export function useEnd(
  box: RefObject<HTMLElement | null>,
  height: number,
  follow: boolean,
  onAtEnd: ((atEnd: boolean) => void) | undefined,
): { set(atEnd: boolean): void } {
  const atEnd = useRef(false);
  const set = (now: boolean) => {
    if (now !== atEnd.current) onAtEnd?.(now);
    atEnd.current = now;
  };
  useEffect(() => {
    const element = box.current;
    if (element === null || onAtEnd === undefined) return;
    const stop = new AbortController();
    let own = Number.NEGATIVE_INFINITY;
    const look = () => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (left < NEAR) set(true);
      else if (performance.now() - own < OWN_MS) set(false);
    };
    for (const name of INPUTS) {
      element.addEventListener(
        name,
        () => {
          own = performance.now();
        },
        { passive: true, signal: stop.signal },
      );
    }
    element.addEventListener('scroll', look, { passive: true, signal: stop.signal });
    onAtEnd(atEnd.current);
    look();
    return () => stop.abort();
  }, [onAtEnd]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && follow && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [height, follow]);
  return { set };
}
