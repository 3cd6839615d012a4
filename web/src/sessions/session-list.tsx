import { useEffect, useMemo } from 'preact/hooks';
import { useLive } from '../data/live.ts';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { plainKey } from '../frame/keys.ts';
import { go, pageLinks, param, place, withQuery } from '../frame/router.ts';
import { dateGroup } from '../ui/days.ts';
import { countOf } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { now } from '../ui/time.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { CalendarHeat } from './calendar-heat.tsx';
import { NoSessions } from './no-sessions.tsx';
import { cardsOf, type SessionCard } from './session-cards.ts';
import { SessionFilters } from './session-filters.tsx';
import { listFilters, listInput, listSort, PROJECTS_INPUT } from './session-questions.ts';
import { SessionRow, SessionRowHead } from './session-row.tsx';
import { SessionsTabs } from './sessions-tabs.tsx';

type Row = { readonly group: string } | { readonly card: SessionCard };

/** All sessions as a table: one per line, by date or by a figure. */
export function SessionList() {
  const filtered = Object.values(listFilters(place.value)).some(Boolean);
  const sort = listSort(place.value);
  const pages = usePages('list_sessions', listInput(place.value), cardsOf);
  const projects = useAnswer('get_project_info', PROJECTS_INPUT);
  const rows = useMemo(
    () => (sort === 'newest' ? grouped(pages.rows) : pages.rows.map((card) => ({ card }))),
    [pages.rows, sort],
  );
  // A list that has not been scrolled yet shows new sessions as they arrive.
  useLive('sessions', () => {
    if (pages.rows.length <= 50 && !pages.loading) pages.reload();
  });
  useRowKeys();
  const selected = (param('pick') ?? '').split(',').filter((id) => id !== '');
  const pick = (id: string) => {
    const next = selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id].slice(-2);
    go(withQuery({ pick: next.join(',') }), { replace: true });
  };
  const [a, b] = selected;
  // On the first run there is nothing to filter.
  const nothing = pages.current && pages.first !== undefined && pages.rows.length === 0 && !filtered;
  return (
    <div class="view fill">
      <SessionsTabs current="list" />
      {!nothing && (
        <SessionFilters projects={projects.answer?.data.projects ?? []}>
          {a !== undefined && b !== undefined && (
            <a class="button primary" href={pageLinks.comparison(a, b)}>
              Compare {a} and {b}
            </a>
          )}
          <span class="quiet" role="status">
            {pages.total !== undefined && pages.current && countOf(pages.total, 'session')}
          </span>
        </SessionFilters>
      )}
      {a !== undefined && b === undefined && (
        <p class="pick-line" role="status">
          Compare {a} with: tick another session below. <a href={withQuery({ pick: undefined })}>Cancel</a>
        </p>
      )}
      {!nothing && <CalendarHeat />}
      {pages.error && pages.rows.length === 0 && <Failure error={pages.error} retry={pages.reload} />}
      {!pages.first && !pages.error && <Skeleton lines={14} />}
      {pages.first && pages.rows.length === 0 && <NoSessions filtered={filtered} />}
      {pages.rows.length > 0 && (
        <section class="panel fill-panel session-table" aria-label="Sessions">
          <SessionRowHead sort={sort} />
          <VirtualList
            label="Sessions"
            class="entry-list"
            rows={rows}
            keyOf={(row) => ('group' in row ? row.group : row.card.id)}
            rowHeight={36}
            onEnd={pages.more}
            render={(row) =>
              'group' in row ? (
                <h2 class="date-group">{row.group}</h2>
              ) : (
                <SessionRow card={row.card} picked={selected.includes(row.card.id)} onPick={pick} />
              )
            }
          />
        </section>
      )}
    </div>
  );
}

/** j and k move between the sessions; Enter opens the one with the focus. */
function useRowKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = plainKey(event);
      if (key !== 'j' && key !== 'k') return;
      const links = [...document.querySelectorAll<HTMLElement>('.session-table .session-title a')];
      const { activeElement } = document;
      const at = activeElement instanceof HTMLElement ? links.indexOf(activeElement) : -1;
      links[key === 'j' ? at + 1 : Math.max(0, at - 1)]?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function grouped(cards: readonly SessionCard[]): readonly Row[] {
  const rows: Row[] = [];
  let last = '';
  for (const card of cards) {
    const group = dateGroup(card.start_time, now.value);
    if (group !== last) rows.push({ group });
    last = group;
    rows.push({ card });
  }
  return rows;
}
