import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Skeleton } from '../ui/states.tsx';

/** A view whose code is loaded when it is first shown. */
export function lazy(load: () => Promise<{ readonly default: ComponentType }>): ComponentType {
  let loaded: ComponentType | undefined;
  return function Lazy() {
    const [View, setView] = useState<ComponentType | undefined>(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (module) => {
          loaded = module.default;
          setView(() => module.default);
        },
        () => setFailed(true),
      );
    }, []);
    if (failed) return <p class="empty">This part of the page could not be loaded. Reload the page.</p>;
    return View === undefined ? <Skeleton lines={10} /> : <View />;
  };
}
