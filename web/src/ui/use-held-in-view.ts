import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { SCROLL_INPUTS } from './scroll-inputs.ts';

/** Scrolls to an element, and keeps it in view while what is above it loads, until the reader scrolls. */
export function useHeldInView(element: RefObject<HTMLElement | null>): () => void {
  const held = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => held.current?.abort(), []);
  return () => {
    held.current?.abort();
    const hold = new AbortController();
    held.current = hold;
    const show = () => element.current?.scrollIntoView({ block: 'nearest' });
    const view = element.current?.closest('.view');
    const observer = new ResizeObserver(show);
    if (view) observer.observe(view);
    hold.signal.addEventListener('abort', () => observer.disconnect());
    for (const name of SCROLL_INPUTS)
      addEventListener(name, () => hold.abort(), { passive: true, signal: hold.signal });
    show();
  };
}
