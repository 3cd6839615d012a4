import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { cameBack } from '../frame/router.ts';

/** Scroll positions of lists, by address and name. */
const scrolled = new Map<string, number>();

/** After the back button, a list is scrolled to where the reader left it. */
export function useKeptScroll(box: RefObject<HTMLElement | null>, label: string, filled: boolean): void {
  const key = useRef(`${location.pathname}${location.search} ${label}`);
  useLayoutEffect(() => {
    const to = scrolled.get(key.current);
    if (filled && to !== undefined && cameBack() && box.current) box.current.scrollTop = to;
  }, [filled]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const note = () => {
      if (element.isConnected)
        scrolled.set(`${location.pathname}${location.search} ${label}`, element.scrollTop);
    };
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, [label]);
}
