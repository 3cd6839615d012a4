import { signal } from '@preact/signals';

/** Where the page is. Everything a view shows is in here, so any address can be shared. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

function read(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

export const place = signal<Place>(read());

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A path with a query; empty values are left out. */
export function href(path: string, query: Query = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '' && value !== false) words.set(name, String(value));
  }
  const text = words.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The current place with some query values changed; undefined or '' takes one away. */
export function withQuery(changes: Query): string {
  const query = Object.fromEntries(place.value.query);
  return href(place.value.path, { ...query, ...changes });
}

/** Goes to a place of the page. `replace` leaves no entry for the back button: for typing. */
export function go(to: string, options: { readonly replace?: boolean } = {}): void {
  const current = location.pathname + location.search;
  if (to !== current) history[options.replace ? 'replaceState' : 'pushState'](null, '', to);
  place.value = read();
}

/** The part of the path at a position: `/disk/i3` has `disk` at 0 and `i3` at 1. */
export function segment(position: number): string | undefined {
  const part = place.value.path.split('/').filter((word) => word !== '')[position];
  return part === undefined ? undefined : decoded(part);
}

/** An address may be typed: what is no encoding stands for itself. */
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

/** Follows the back button and plain clicks on our own links. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    place.value = read();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
    event.preventDefault();
    // A place on this page, without a trace in the address, which is there to be shared.
    if (link.hash !== '') document.getElementById(link.hash.slice(1))?.focus();
    go(link.pathname + link.search);
  });
}
