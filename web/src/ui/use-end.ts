import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { SCROLL_INPUTS } from './scroll-inputs.ts';

/** A reader within this many pixels of the end counts as being there. */
const NEAR_PIXELS = 60;
/** A scroll this soon after a wheel, key or touch event is the reader's. */
const READER_MS = 1_000;

/**
 * Keeps the end of a growing list in view as long as the reader is there. Rows that are measured late also move the end,
 * so only the reader's own scrolling counts as leaving it.
 */
export function useEnd(
  box: RefObject<HTMLElement | null>,
  height: number,
  follow: boolean,
  onAtEnd: ((atEnd: boolean) => void) | undefined,
): { set(atEnd: boolean): void } {
  const atEnd = useRef(false);
  /** The parent scrolled elsewhere: until the rows are measured, being near the end means nothing. */
  const held = useRef(false);
  const set = (now: boolean) => {
    if (now !== atEnd.current) onAtEnd?.(now);
    atEnd.current = now;
  };
  useEffect(() => {
    const element = box.current;
    if (element === null || onAtEnd === undefined) return;
    const stop = new AbortController();
    let input = Number.NEGATIVE_INFINITY;
    const check = () => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight;
      const reader = performance.now() - input < READER_MS;
      if (reader) held.current = false;
      if (left < NEAR_PIXELS && !held.current) set(true);
      else if (reader) set(false);
    };
    for (const name of SCROLL_INPUTS) {
      element.addEventListener(
        name,
        () => {
          input = performance.now();
        },
        { passive: true, signal: stop.signal },
      );
    }
    element.addEventListener('scroll', check, { passive: true, signal: stop.signal });
    onAtEnd(atEnd.current);
    check();
    return () => stop.abort();
  }, [onAtEnd]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && follow && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [height, follow]);
  return {
    set(now) {
      held.current = !now;
      set(now);
    },
  };
}
