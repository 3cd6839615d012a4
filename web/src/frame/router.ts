import { signal } from '@preact/signals';
import { type LinkQuery, link } from '../../../src/page/page-links.ts';

export { pageLinks } from '../../../src/page/page-links.ts';

/** The current address. It determines everything a view shows, so any address can be shared. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

export function placeOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Place {
  return { path: pathname, query: new URLSearchParams(search) };
}

export const place = signal<Place>(placeOf(location));

/** The current address with some query values changed; undefined or '' removes one. */
export function withQuery(changes: LinkQuery): string {
  const query = Object.fromEntries(place.value.query);
  return link(place.value.path, { ...query, ...changes });
}

/** Goes to an address of the page. `replace` adds no history entry, for changes while typing. */
export function go(to: string, options: { readonly replace?: boolean } = {}): void {
  const current = location.pathname + location.search;
  if (to !== current && options.replace !== true) back = false;
  if (to !== current) history[options.replace ? 'replaceState' : 'pushState'](null, '', to);
  place.value = placeOf(location);
}

/** The parts of the path: `/disk/i3` has `disk` and `i3`. */
export function partsOf({ path }: Place): readonly string[] {
  return path
    .split('/')
    .filter((word) => word !== '')
    .map(decoded);
}

/** The part of the path at a position: `/disk/i3` has `disk` at 0 and `i3` at 1. */
export function segment(position: number): string | undefined {
  return partsOf(place.value)[position];
}

/**
 * Goes to an address after some work, unless the reader has left meanwhile the view whose path begins with these parts.
 *
 * @example goFrom(['disk', index], pageLinks.plan(id));
 */
export function goFrom(parts: readonly string[], to: string): void {
  if (parts.every((part, position) => segment(position) === part)) go(to);
}

/** An address may be typed by hand: a part that is not validly encoded is taken as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function param(name: string): string | undefined {
  return place.value.query.get(name) ?? undefined;
}

/** True right after the back or forward button: lists then appear as the reader left them. */
export function cameBack(): boolean {
  return back;
}
let back = false;

/** Handles the back button and plain clicks on our own links. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    back = true;
    place.value = placeOf(location);
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    if (anchor === null || anchor.target !== '' || anchor.hasAttribute('download')) return;
    if (anchor.origin !== location.origin || anchor.pathname.startsWith('/api/')) return;
    event.preventDefault();
    // An element of this page; the address stays without the hash, so that it can be shared.
    if (anchor.hash !== '') document.getElementById(anchor.hash.slice(1))?.focus();
    go(anchor.pathname + anchor.search);
  });
}
