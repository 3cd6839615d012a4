import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Ago } from '../ui/time.tsx';

/** How old the data of the current view is, for the top bar. */
export const freshness = signal<ComponentChildren>(undefined);

/** Shows the age of the view's data in the top bar, such as `scanned 2m ago`, while the view is shown. */
export function useFreshness(what: string, at: string | undefined): void {
  useEffect(() => {
    freshness.value = at && (
      <>
        {what} <Ago at={at} />
      </>
    );
    return () => {
      freshness.value = undefined;
    };
  }, [what, at]);
}
