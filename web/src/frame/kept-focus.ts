import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { place } from './router.ts';

/**
 * Moves the focus to the content after following a link that is no longer on the page, so that the Tab key does not
 * start from the top again. True after the first such move: only then is there something to announce.
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
