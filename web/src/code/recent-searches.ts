import type { Mode } from './search-state.ts';

const KEY = 'pinhole.code-searches';
const KEPT = 8;

export interface RecentSearch {
  readonly query: string;
  readonly mode: Mode;
}

/** The last searches of this browser, newest first. */
export function recentSearches(): readonly RecentSearch[] {
  try {
    // Written by us; whatever else is there is dropped by the check.
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown;
    return Array.isArray(kept) ? kept.filter(isSearch) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(query: string, mode: Mode): void {
  if (query.trim() === '') return;
  const others = recentSearches().filter((search) => search.query !== query);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ query, mode }, ...others].slice(0, KEPT)));
  } catch {
    // No access to storage: nothing is remembered.
  }
}

function isSearch(value: unknown): value is RecentSearch {
  return (
    typeof value === 'object' &&
    value !== null &&
    'query' in value &&
    typeof value.query === 'string' &&
    'mode' in value
  );
}
