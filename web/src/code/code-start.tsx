import { pageLinks, param } from '../frame/router.ts';
import { Empty } from '../ui/states.tsx';
import { recentSearches } from './recent-searches.ts';
import { MODES } from './search-state.ts';

/** Shown before the first search: the recent ones. */
export function CodeStart() {
  const recent = recentSearches('code');
  return (
    <>
      <Empty title="What are you looking for?">
        Ask a question or type a name for the best matches; Regex lists every matching line. Results always
        reflect the files on disk.
      </Empty>
      {recent.length > 0 && (
        <section class="recent-searches">
          <h2>Recent searches</h2>
          <ul>
            {recent.map(({ query, mode }) => (
              <li key={query}>
                <a class="mono cut" href={pageLinks.code({ q: query, mode, path: param('path') })}>
                  {query}
                </a>
                <span class="quiet">{MODES.find(([id]) => id === mode)?.[1]}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
