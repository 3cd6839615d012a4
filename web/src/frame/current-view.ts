import { VIEWS, type View } from '../views.ts';
import { type Place, partsOf, place } from './router.ts';

/** The view at an address; undefined if there is none. */
export function viewAt(at: Place): View | undefined {
  const path = `/${partsOf(at)[0] ?? ''}`;
  return VIEWS.find((view) => view.path === path);
}

export function currentView(): View | undefined {
  return viewAt(place.value);
}
