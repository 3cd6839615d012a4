import { go, pageLinks, withQuery } from '../frame/router.ts';
import { countText, durationText, moneyText, shortCount } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { now, StartTime } from '../ui/time.tsx';
import { AgentMark } from './agent-mark.tsx';
import { lastMsOf, originText, type SessionCard } from './session-cards.ts';
import type { SORTS } from './session-questions.ts';
import { RUNNING_MS } from './use-session.ts';

type Sort = (typeof SORTS)[number];

/** The column headings of the list; those of figures sort it. */
export function SessionRowHead({ sort }: { readonly sort: Sort }) {
  const head = (name: Sort, label: string, look = '') => (
    <button
      type="button"
      class={`num ${look}`}
      aria-pressed={name === sort}
      title={`Sort by ${label}`}
      onClick={() => go(withQuery({ sort: name === 'newest' ? undefined : name }))}
    >
      {label}
      {name === sort && ' ↓'}
    </button>
  );
  return (
    <div class="session-row session-row-head">
      <span class="wide-only" />
      {head('newest', 'started')}
      <span />
      <span>session</span>
      <span class="roomy">project</span>
      <span class="roomy">model</span>
      <span class="num wide-only">turns</span>
      <span class="num roomy">duration</span>
      {head('tokens', 'tokens', 'wide-only')}
      {head('cost', '≈ cost')}
      {head('failed', 'failed')}
    </div>
  );
}

/** One session. */
export function SessionRow(props: {
  readonly card: SessionCard;
  readonly picked: boolean;
  readonly onPick: (id: string) => void;
}) {
  const { card } = props;
  const running = now.value - lastMsOf(card) < RUNNING_MS;
  return (
    <div class="session-row">
      <input
        type="checkbox"
        class="wide-only"
        aria-label={`Select ${card.id} to compare`}
        checked={props.picked}
        onChange={() => props.onPick(card.id)}
      />
      <StartTime at={card.start_time} />
      <AgentMark provider={card.provider} />
      <span class="session-title">
        {running && <span class="running-dot" role="img" aria-label="running" title="running" />}
        {card.starred && (
          <span class="star on" role="img" aria-label="starred" title="starred">
            <Icon name="star" />
          </span>
        )}
        <a href={pageLinks.session(card.id)} class="cut" title={card.note}>
          {card.parent_id !== undefined && <span class="quiet">↳ </span>}
          {card.title ?? (card.snippet === '' ? card.id : card.snippet)}
        </a>
      </span>
      <span class="quiet cut roomy" title={card.project}>
        {[card.project?.split('/').at(-1), originText(card)].filter(Boolean).join(' · ')}
      </span>
      <span class="quiet cut roomy" title={card.model}>
        {card.model?.replace(/^claude-/, '').replace(/-\d{8}$/, '')}
      </span>
      <span class="quiet num wide-only">{countText(card.turn_count)}</span>
      <span class="quiet num roomy">
        {card.duration_seconds === undefined ? '–' : durationText(card.duration_seconds)}
      </span>
      <span class="num wide-only">
        {card.total_tokens === undefined ? '–' : shortCount(card.total_tokens)}
      </span>
      <span class="num">{card.cost_usd === undefined ? '–' : moneyText(card.cost_usd)}</span>
      <span class="num failed">{card.failures ? countText(card.failures) : ''}</span>
    </div>
  );
}
