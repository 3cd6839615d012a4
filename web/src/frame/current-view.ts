import { VIEWS, type View } from '../views.ts';
import { segment } from './router.ts';

/** The view at the current address; undefined for an address that has none. */
export function currentView(): View | undefined {
  const path = `/${segment(0) ?? ''}`;
  return VIEWS.find((view) => view.path === path);
}
