import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Ago } from '../ui/time.tsx';

/** How fresh what the current view shows is; the bar at the top says it. */
export const freshness = signal<ComponentChildren>(undefined);

/** Says when the data of the view is from, such as `scanned 2m ago`, while it is shown. */
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
