import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { place } from './router.ts';

/**
 * Who goes to another place of the page by a link that is gone afterwards goes on from its content, not from the top
 * of everything. True from the first such move on: only then is there something to announce.
 */
export function useKeptFocus(content: RefObject<HTMLElement | null>): boolean {
  const { path } = place.value;
  const first = useRef(path);
  const [moved, setMoved] = useState(false);
  useEffect(() => {
    if (!moved && path === first.current) return;
    setMoved(true);
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body)
      content.current?.focus({ preventScroll: true });
  }, [path]);
  return moved;
}
