import { countOf, countText, durationText, shortCount } from '../../../src/contract/people.ts';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { go, href, param, withQuery } from '../frame/router.ts';
import { Bar } from '../ui/basics.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { shortTime } from '../ui/time.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { NoSessions } from './no-sessions.tsx';
import { ProviderMark } from './provider-mark.tsx';
import { SessionFilters } from './session-filters.tsx';
import { SubTabs } from './sub-tabs.tsx';
import type { ProjectCard, SessionCard } from './types.ts';

/** All sessions, newest first, one a line. */
export function SessionList() {
  const query = {
    provider: param('provider'),
    project: param('project'),
    since: param('since'),
    failed: param('failed'),
    limit: 50,
  };
  const pages = usePages<{ readonly sessions: readonly SessionCard[] }, SessionCard>(
    href('/api/agent-sessions', query),
    (data) => data.sessions,
  );
  const projects = useAnswer<{ readonly projects: readonly ProjectCard[] }>('/api/projects?limit=100');
  const names = new Map(
    projects.answer?.data.projects.map((project) => [project.hash, project.root_path ?? project.hash]),
  );
  const most = Math.max(1, ...pages.rows.map((card) => card.total_tokens));
  const picked = (param('pick') ?? '').split(',').filter((id) => id !== '');
  const pick = (id: string) => {
    const next = picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id].slice(-2);
    go(withQuery({ pick: next.join(',') }), { replace: true });
  };
  const [a, b] = picked;
  return (
    <div class="view fill">
      <SubTabs current="list" />
      <SessionFilters projects={projects.answer?.data.projects ?? []}>
        {a !== undefined && b !== undefined && (
          <a class="button primary" href={href('/sessions/compare', { a, b })}>
            Compare {a} and {b}
          </a>
        )}
      </SessionFilters>
      {pages.error && pages.rows.length === 0 && <Failure error={pages.error} retry={pages.reload} />}
      {!pages.first && !pages.error && <Skeleton lines={14} />}
      {pages.first && pages.rows.length === 0 && (
        <NoSessions filtered={Object.values(query).filter(Boolean).length > 1} />
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
                  aria-label={`Pick ${card.id} to compare`}
                  checked={picked.includes(card.id)}
                  onChange={() => pick(card.id)}
                />
                <span class="quiet num">{shortTime(card.start_time)}</span>
                <ProviderMark provider={card.provider} />
                <a href={`/sessions/${card.id}`} class="cut">
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
                  <Bar share={card.total_tokens / most} tone="soft" />
                  <span class="num">{shortCount(card.total_tokens)}</span>
                </span>
                <span class="num failed" title="failed tool calls">
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
