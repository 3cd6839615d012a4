import { searchCalls } from './call-search.ts';
import type { SearchScope } from './candidates.ts';
import { type Hit, type SearchIndex, type SearchWork, searchEvents } from './event-search.ts';
import { isLong, searchLong } from './long-query.ts';
import { holds, lineFinder, lineMatcher, regexMatcher, substringMatcher } from './text-matcher.ts';
import { newestOf, searchUsage } from './usage-search.ts';

export interface SearchQuery {
  /** Undefined to find every call of the scope. */
  readonly text: string | undefined;
  readonly regex: boolean;
}

/** Searches the texts of all sessions. */
export function sessionSearch(index: SearchIndex) {
  function inTexts(
    text: string,
    regex: boolean,
    scope: SearchScope,
    signal: AbortSignal,
    work?: SearchWork,
  ): AsyncGenerator<Hit> {
    return !regex && isLong(text)
      ? searchLong(index, text, scope, signal, work)
      : searchEvents(index, regex ? regexMatcher(text) : substringMatcher(text), scope, signal, work);
  }

  return {
    /** Matching events, newest first, found on demand. */
    find(
      { text, regex }: SearchQuery,
      scope: SearchScope,
      signal: AbortSignal,
      work?: SearchWork,
    ): AsyncGenerator<Hit> {
      const anything = text === undefined;
      if (scope.types?.includes('token_usage')) {
        const matches = anything
          ? () => true
          : regex
            ? lineMatcher(text)
            : (line: string) => holds(line, text);
        const events = inTexts(text ?? '.', regex || anything, scope, signal, work);
        return newestOf(events, searchUsage(index.db, matches, scope, signal));
      }
      if (!anything) return inTexts(text, regex, scope, signal, work);
      return scope.calls === undefined
        ? inTexts('.', true, scope, signal, work)
        : searchCalls(index.db, index.texts, scope, signal);
    },

    lineFinder,
  };
}
