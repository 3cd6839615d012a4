import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { Bar } from '../ui/basics.tsx';
import { countOf, countText, durationText, shortCount } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { shortTime } from '../ui/time.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { AgentMark } from './agent-mark.tsx';
import { NoSessions } from './no-sessions.tsx';
import { cardsOf } from './session-cards.ts';
import { SessionFilters } from './session-filters.tsx';
import { SessionsTabs } from './sessions-tabs.tsx';

/** All sessions, newest first, one per line. */
export function SessionList() {
  const filters = {
    provider: param('provider'),
    project: param('project'),
    since: param('since'),
    failed: param('failed') === 'true' || undefined,
  };
  const pages = usePages('list_sessions', { ...filters, limit: 50 }, cardsOf);
  const projects = useAnswer('get_project_info', { limit: 100 });
  const names = new Map(
    projects.answer?.data.projects.map((project) => [project.hash, project.root_path ?? project.hash]),
  );
  const largest = Math.max(1, ...pages.rows.map((card) => card.total_tokens));
  const selected = (param('pick') ?? '').split(',').filter((id) => id !== '');
  const pick = (id: string) => {
    const next = selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id].slice(-2);
    go(withQuery({ pick: next.join(',') }), { replace: true });
  };
  const [a, b] = selected;
  return (
    <div class="view fill">
      <SessionsTabs current="list" />
      <SessionFilters projects={projects.answer?.data.projects ?? []}>
        {a !== undefined && b !== undefined && (
          <a class="button primary" href={pageLinks.comparison(a, b)}>
            Compare {a} and {b}
          </a>
        )}
      </SessionFilters>
      {pages.error && pages.rows.length === 0 && <Failure error={pages.error} retry={pages.reload} />}
      {!pages.first && !pages.error && <Skeleton lines={14} />}
      {pages.first && pages.rows.length === 0 && (
        <NoSessions filtered={Object.values(filters).some(Boolean)} />
      )}
      {pages.rows.length > 0 && (
        <section class="panel fill-panel" aria-label="Sessions">
          <VirtualList
            label="Sessions"
            class="entry-list"
            rows={pages.rows}
            keyOf={(card) => card.id}
            rowHeight={36}
            onEnd={pages.more}
            render={(card) => (
              <div class="session-row">
                <input
                  type="checkbox"
                  class="wide-only"
                  aria-label={`Select ${card.id} to compare`}
                  checked={selected.includes(card.id)}
                  onChange={() => pick(card.id)}
                />
                <span class="quiet num">{shortTime(card.start_time)}</span>
                <AgentMark provider={card.provider} />
                <a href={pageLinks.session(card.id)} class="cut">
                  {card.parent_id !== undefined && <span class="quiet">↳ </span>}
                  {card.title ?? (card.snippet === '' ? card.id : card.snippet)}
                </a>
                <span class="quiet cut mono roomy" title={names.get(card.project_hash ?? '')}>
                  {names
                    .get(card.project_hash ?? '')
                    ?.split('/')
                    .at(-1)}
                </span>
                <span class="quiet num wide-only">{countOf(card.turn_count, 'turn')}</span>
                <span class="quiet num roomy">{durationText(card.duration_seconds)}</span>
                <span class="session-tokens">
                  <Bar share={card.total_tokens / largest} tone="soft" />
                  <span class="num">{shortCount(card.total_tokens)}</span>
                </span>
                <span class="num failed" title="Failed calls">
                  {card.failures ? countText(card.failures) : ''}
                </span>
              </div>
            )}
          />
        </section>
      )}
    </div>
  );
}
