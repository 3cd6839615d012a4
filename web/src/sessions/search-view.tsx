import { useEffect, useState } from 'preact/hooks';
import { usePages } from '../data/use-pages.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { countOf, countText } from '../ui/format.ts';
import { Marked } from '../ui/marked.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { shortTime } from '../ui/time.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { SessionsTabs } from './sessions-tabs.tsx';

const TYPES = ['tool_call', 'tool_result', 'message', 'user', 'reasoning', 'notification'] as const;
const DEBOUNCE_MS = 180;

/** Searches all events of all sessions while the text is typed. */
export function SearchView() {
  const query = param('q') ?? '';
  useTitle(query === '' ? 'Search' : `Search ${query}`);
  const regex = param('regex') === 'true';
  const type = TYPES.find((name) => name === param('type'));
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  useEffect(() => {
    if (text === query) return;
    const timer = setTimeout(() => go(withQuery({ q: text }), { replace: true }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const pages = usePages(
    'search_event_previews',
    query === ''
      ? undefined
      : {
          query,
          regex,
          event_type: type,
          session_id: param('session'),
          since: param('since'),
          limit: 50,
        },
    (data) => data.matches,
  );
  return (
    <div class="view fill">
      <SessionsTabs current="search" />
      <div class="toolbar">
        <input
          type="search"
          class="field wide"
          aria-label="Search all sessions"
          placeholder="Search prompts, messages, calls and results"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button
          type="button"
          class="chip mono"
          aria-pressed={regex}
          onClick={() => go(withQuery({ regex: !regex }))}
        >
          .* regex
        </button>
        <select
          class="select"
          aria-label="Event type"
          value={type ?? ''}
          onChange={(event) => go(withQuery({ type: event.currentTarget.value }))}
        >
          <option value="">All events</option>
          {TYPES.map((name) => (
            <option key={name} value={name}>
              {name.replace('_', ' ')}
            </option>
          ))}
        </select>
        <span class="quiet" role="status">
          {query !== '' && pages.first && matchCount(pages.total, pages.rows.length)}
        </span>
      </div>
      {query === '' && <Empty title="Search everything agents said, ran or read." />}
      {pages.error && pages.rows.length === 0 && <Failure error={pages.error} retry={pages.reload} />}
      {query !== '' && !pages.first && !pages.error && <Skeleton lines={10} />}
      {query !== '' && pages.first && pages.rows.length === 0 && !pages.loading && (
        <Empty title="No matches." />
      )}
      {query !== '' && pages.rows.length > 0 && (
        <section class="panel fill-panel" aria-label="Matches">
          <VirtualList
            label="Matches"
            class="entry-list"
            rows={pages.rows}
            keyOf={(match) => `${match.session_id} ${match.event_index}`}
            rowHeight={64}
            onEnd={pages.more}
            render={(match) => (
              <a
                class="match-row"
                href={pageLinks.session(match.session_id, {
                  turn: match.turn_index,
                  step: match.step_index,
                  event: match.event_index,
                })}
              >
                <span class="match-meta">
                  <span class="mono">{match.session_id}</span>
                  <span>{shortTime(match.timestamp)}</span>
                  <span class="badge">{match.event_type.replace('_', ' ')}</span>
                </span>
                <span class="match-text mono">
                  <Marked text={match.preview} query={regex ? '' : query} />
                </span>
              </a>
            )}
          />
        </section>
      )}
    </div>
  );
}

function matchCount(total: number | undefined, shown: number): string {
  return total === undefined ? `${countText(shown)}+ matches` : countOf(total, 'match', 'matches');
}
