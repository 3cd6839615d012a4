import { useState } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { pageLinks } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { moneyText, shortCount } from '../ui/format.ts';
import { MoreRows } from '../ui/more-rows.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { shortTime } from '../ui/time.tsx';
import { AgentMark } from './agent-mark.tsx';
import { cardsOf, LISTED_FIELDS } from './session-cards.ts';

/** Chooses the session to compare with; lists those of the same project first. */
export function ComparePicker({ session }: { readonly session: string }) {
  const { answer } = useAnswer('get_session_summary', { session_id: session });
  const [text, setText] = useState('');
  const [all, setAll] = useState(false);
  const project = answer?.data.project?.hash;
  const pages = usePages(
    'list_sessions',
    answer && { project: all ? undefined : project, fields: LISTED_FIELDS, limit: 50 },
    cardsOf,
  );
  const own = answer?.data.title ?? answer?.data.first_prompt ?? session;
  const wanted = text.trim().toLowerCase();
  const rows = pages.rows.filter(
    (card) =>
      !session.startsWith(card.id) &&
      !card.id.startsWith(session) &&
      `${card.title ?? ''} ${card.snippet} ${card.id}`.toLowerCase().includes(wanted),
  );
  return (
    <div class="view">
      <h1 class="cut">Compare “{own}” with…</h1>
      <div class="toolbar">
        <input
          type="search"
          class="field wide"
          aria-label="Find a session"
          placeholder="Title or prompt"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <label>
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />{' '}
          All projects
        </label>
      </div>
      <Panel title={all ? 'All sessions' : 'Sessions of the same project'}>
        {pages.error && <Failure error={pages.error} retry={pages.reload} />}
        {!pages.first && !pages.error && <Skeleton lines={8} />}
        {pages.first && rows.length === 0 && <p class="hint-line">No other session matches.</p>}
        <ul class="rows">
          {rows.map((card) => (
            <li key={card.id} class="compare-row">
              <AgentMark provider={card.provider} />
              <a class="cut" href={pageLinks.comparison(session, card.id)}>
                {card.title ?? (card.snippet || card.id)}
              </a>
              <span class="quiet num">{shortTime(card.start_time)}</span>
              <span class="quiet num wide-only">
                {card.total_tokens !== undefined && `${shortCount(card.total_tokens)} tokens`}
              </span>
              <span class="num">{card.cost_usd === undefined ? '–' : moneyText(card.cost_usd)}</span>
            </li>
          ))}
        </ul>
        <MoreRows pages={pages} />
      </Panel>
    </div>
  );
}
