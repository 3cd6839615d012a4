import type { Mode } from './search-state.ts';

/** Each subject has its own list of searches. */
type Subject = 'code' | 'session';

const keyOf = (subject: Subject) => `pinhole.${subject}-searches`;
const MAX_SEARCHES = 8;

export interface RecentSearch {
  readonly query: string;
  /** Only for a code search. */
  readonly mode?: Mode | undefined;
}

/** The last searches of this browser, newest first. */
export function recentSearches(subject: Subject): readonly RecentSearch[] {
  try {
    // Written by us; anything else is dropped by the check.
    const kept = JSON.parse(localStorage.getItem(keyOf(subject)) ?? '[]') as unknown;
    return Array.isArray(kept) ? kept.filter(isSearch) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(subject: Subject, query: string, mode?: Mode): void {
  if (query.trim() === '') return;
  const others = recentSearches(subject).filter((search) => search.query !== query);
  try {
    localStorage.setItem(keyOf(subject), JSON.stringify([{ query, mode }, ...others].slice(0, MAX_SEARCHES)));
  } catch {
    // No access to storage: nothing is remembered.
  }
}

function isSearch(value: unknown): value is RecentSearch {
  return typeof value === 'object' && value !== null && 'query' in value && typeof value.query === 'string';
}
