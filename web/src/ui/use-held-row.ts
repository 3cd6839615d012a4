import type { Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { SCROLL_INPUTS } from './scroll-inputs.ts';

/**
 * Keeps the row that the parent scrolled to at the top while rows around it load and change height, until the reader
 * scrolls or the parent lets go of it.
 */
export function useHeldRow(
  box: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLElement, HTMLElement>,
): { set(index: number | undefined): void } {
  const held = useRef<number | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    const release = () => {
      held.current = undefined;
    };
    for (const name of [...SCROLL_INPUTS, 'focusin'] as const)
      box.current?.addEventListener(name, release, { passive: true, signal: stop.signal });
    return () => stop.abort();
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || held.current === undefined) return;
    const offset = virtualizer.getOffsetForIndex(held.current, 'start')?.[0] ?? element.scrollTop;
    if (Math.abs(offset - element.scrollTop) > 1) virtualizer.scrollToIndex(held.current, { align: 'start' });
  });
  return {
    set(index) {
      held.current = index;
    },
  };
}
