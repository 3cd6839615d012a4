import { useEffect } from 'preact/hooks';
import { plainKey } from '../frame/keys.ts';
import { go, param, withQuery } from '../frame/router.ts';

const HITS = '.code-results [data-index]';

/** Moves the focus from the search field to the first result; false when there are no results. */
export function focusFirstHit(): boolean {
  const first = document.querySelector<HTMLElement>(`${HITS} a`);
  first?.focus();
  return first !== null;
}

/** Escape closes the file, then the explanation; the focus returns to the result. */
export function useResultKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (plainKey(event) !== 'Escape' || param('q') === undefined) return;
      const open = param('file') === undefined ? 'why' : 'file';
      if (param(open) === undefined) return;
      event.preventDefault();
      const hit = document.querySelector<HTMLElement>(`${HITS} a.on, ${HITS} .on a`);
      go(withQuery(open === 'file' ? { file: undefined, line: undefined } : { why: undefined }));
      if (hit === null) focusFirstHit();
      else hit.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
