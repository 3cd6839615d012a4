import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Skeleton } from '../ui/states.tsx';

/** A view whose code is loaded when it is first shown, or earlier by `preload`. */
export interface LazyView {
  readonly View: ComponentType;
  preload(): void;
}

export function lazy(load: () => Promise<{ readonly default: ComponentType }>): LazyView {
  let loaded: ComponentType | undefined;
  let loading: Promise<void> | undefined;
  const begin = () => {
    loading ??= load().then(
      (module) => {
        loaded = module.default;
      },
      (error: unknown) => {
        // The next visit tries again.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  return {
    preload: () => void begin().catch(() => {}),
    View: function Lazy() {
      const [View, setView] = useState<ComponentType | undefined>(() => loaded);
      const [failed, setFailed] = useState(false);
      useEffect(() => {
        if (View !== undefined) return;
        begin().then(
          () => setView(() => loaded),
          () => setFailed(true),
        );
      }, []);
      if (failed) return <p class="empty">This part of the page could not be loaded. Reload the page.</p>;
      return View === undefined ? <Skeleton lines={10} /> : <View />;
    },
  };
}
