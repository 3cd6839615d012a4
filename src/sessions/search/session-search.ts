import type { SearchScope } from './candidates.ts';
import { type Hit, type SearchIndex, type SearchWork, searchEvents } from './event-search.ts';
import { isLong, searchLong } from './long-query.ts';
import { lineMatcher, regexMatcher, substringMatcher } from './text-matcher.ts';

export type SessionSearch = ReturnType<typeof sessionSearch>;

/** Search in the texts of all sessions. */
export function sessionSearch(index: SearchIndex) {
  return {
    /** Events that match, newest first, found as they are asked for. */
    find: (
      query: string,
      regex: boolean,
      scope: SearchScope,
      signal: AbortSignal,
      work?: SearchWork,
    ): AsyncIterable<Hit> =>
      !regex && isLong(query)
        ? searchLong(index, query, scope, signal, work)
        : searchEvents(index, regex ? regexMatcher(query) : substringMatcher(query), scope, signal, work),

    lineMatcher,
  };
}
