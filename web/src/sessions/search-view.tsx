import { useEffect, useMemo, useRef } from 'preact/hooks';
import { recentSearches, rememberSearch } from '../code/recent-searches.ts';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { go, param, place, withQuery } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Choice, Panel } from '../ui/basics.tsx';
import { countOf, countText } from '../ui/format.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { useTypedText } from '../ui/use-typed-text.ts';
import { VirtualList } from '../ui/virtual-list.tsx';
import { MatchGroupView } from './match-group.tsx';
import { cursorCameAlong } from './moving-cursor.ts';
import { OriginSelects } from './origin-selects.tsx';
import { groupMatches } from './search-groups.ts';
import { AgentChoice, ProjectSelect, TimeSelect } from './session-filters.tsx';
import { EVENT_TYPES, PROJECTS_INPUT, searchInputs } from './session-questions.ts';
import { SessionsTabs } from './sessions-tabs.tsx';
import { useCards } from './use-cards.ts';

const WAYS = [
  ['words', 'Words'],
  ['meaning', 'Meaning'],
] as const;
const DEBOUNCE_MS = 60;
/** A query that stays unchanged for this long is worth remembering. */
const KEEP_AFTER_MS = 2_000;
/** Matches are loaded until there are this many sessions or matches. */
const ENOUGH_SESSIONS = 15;
const MAX_MATCHES = 600;

/** Searches all sessions as you type; matches are grouped by session. */
export function SearchView() {
  const query = param('q') ?? '';
  useTitle(query === '' ? 'Search' : `Search ${query}`);
  const regex = param('regex') === 'true';
  const type = EVENT_TYPES.find((name) => name === param('type'));
  const failed = param('status') === 'failed';
  const meaning = param('meaning') === 'true';
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (cursorCameAlong() || query === '') field.current?.focus();
  }, []);
  const [text, setText] = useTypedText(query, (q) => go(withQuery({ q }), { replace: true }), DEBOUNCE_MS);
  useEffect(() => {
    const timer = setTimeout(() => rememberSearch('session', query), KEEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [query]);
  const projects = useAnswer('get_project_info', PROJECTS_INPUT);
  const inputs = searchInputs(place.value);
  const asked = query !== '';
  const pages = usePages('search_event_previews', inputs.matches, (data) => data.matches);
  const prompts = usePages('search_event_previews', inputs.prompts, (data) => data.matches);
  const groups = useMemo(
    () => groupMatches(prompts.rows, pages.rows, meaning),
    [prompts.rows, pages.rows, meaning],
  );
  const cards = useCards(useMemo(() => groups.map(({ session }) => session), [groups]));
  useEffect(() => {
    if (groups.length < ENOUGH_SESSIONS && pages.rows.length < MAX_MATCHES && !pages.loading) pages.more();
  }, [groups.length, pages.rows.length, pages.loading]);
  return (
    <div class="view fill">
      <SessionsTabs current="search" />
      <div class="toolbar">
        <input
          ref={field}
          type="search"
          class="field wide"
          aria-label="Search all sessions"
          placeholder="Search prompts, messages, calls and results"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <AgentChoice />
        <ProjectSelect projects={projects.answer?.data.projects ?? []} />
        <OriginSelects />
        <TimeSelect />
        <Choice
          label="Search"
          options={WAYS}
          value={meaning ? 'meaning' : 'words'}
          onChange={(way) => go(withQuery({ meaning: way === 'meaning' ? true : undefined }))}
        />
        {!meaning && <WordFilters regex={regex} type={type} failed={failed} />}
        <span class="quiet" role="status">
          {asked && pages.first && foundText(pages.total, pages.rows.length, pages.hasMore, groups.length)}
        </span>
      </div>
      {!asked && <SearchStart />}
      {pages.error && pages.rows.length === 0 && <Failure error={pages.error} retry={pages.reload} />}
      {asked && !pages.first && !pages.error && <Skeleton lines={10} />}
      {pages.first?.data.unread !== undefined && (
        <p class="hint-line" role="status">
          {countOf(pages.first.data.unread, 'session')} not read for meaning yet. Search again in a moment.
        </p>
      )}
      {asked && pages.first && groups.length === 0 && !pages.loading && (
        <Empty title="No matches.">
          {!meaning && (
            <a href={withQuery({ meaning: true, regex: undefined, type: undefined, status: undefined })}>
              Search by meaning instead
            </a>
          )}
        </Empty>
      )}
      {asked && groups.length > 0 && (
        <section class="panel fill-panel" aria-label="Matches">
          <VirtualList
            label="Matches"
            class="entry-list"
            rows={groups}
            keyOf={(group) => group.session}
            rowHeight={96}
            onEnd={pages.more}
            render={(group) => (
              <MatchGroupView
                group={group}
                card={cards.get(group.session)}
                query={regex || meaning ? '' : query}
                find={regex || meaning ? '' : query}
                counted={!pages.hasMore}
              />
            )}
          />
        </section>
      )}
    </div>
  );
}

/** Filters for a word search; a search by meaning only covers what was said. */
function WordFilters(props: {
  readonly regex: boolean;
  readonly type: (typeof EVENT_TYPES)[number] | undefined;
  readonly failed: boolean;
}) {
  const { regex, type, failed } = props;
  return (
    <>
      <select
        class="select"
        aria-label="Event type"
        value={type ?? ''}
        onChange={(event) => go(withQuery({ type: event.currentTarget.value }))}
      >
        <option value="">All events</option>
        {EVENT_TYPES.map((name) => (
          <option key={name} value={name}>
            {name === 'user' ? 'prompts' : name.replace('_', ' ')}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="chip"
        aria-pressed={failed}
        onClick={() => go(withQuery({ status: failed ? undefined : 'failed' }))}
      >
        Failed calls
      </button>
      <button
        type="button"
        class="chip mono"
        aria-pressed={regex}
        onClick={() => go(withQuery({ regex: !regex }))}
      >
        .* regex
      </button>
    </>
  );
}

/** Shown before the first search: what to look for, and the recent searches. */
function SearchStart() {
  const recent = recentSearches('session');
  return (
    <>
      <Empty title="Search everything agents said, ran or read.">
        <p>
          Sessions whose prompt matches come first.{' '}
          <a href={withQuery({ q: 'error', status: 'failed' })}>Failed calls</a> and{' '}
          <a href={withQuery({ q: 'why', type: 'user' })}>prompts</a> can be searched alone.
        </p>
      </Empty>
      {recent.length > 0 && (
        <Panel title="Recent searches">
          <ul class="rows fact-list">
            {recent.map(({ query }) => (
              <li key={query}>
                <a class="cut" href={withQuery({ q: query })}>
                  {query}
                </a>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

function foundText(total: number | undefined, shown: number, hasMore: boolean, sessions: number): string {
  const matches =
    total !== undefined
      ? countOf(total, 'match', 'matches')
      : hasMore
        ? `${countText(shown)}+ matches`
        : countOf(shown, 'match', 'matches');
  return `${matches} in ${countOf(sessions, 'session')}${hasMore ? ' so far' : ''}`;
}
