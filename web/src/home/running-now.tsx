import type { DataOf } from '../data/operations.ts';
import { type Loaded, useAnswer } from '../data/use-answer.ts';
import { pageLinks } from '../frame/router.ts';
import { AgentMark } from '../sessions/agent-mark.tsx';
import { cardsOf, lastMsOf, type SessionCard } from '../sessions/session-cards.ts';
import { kindTone } from '../sessions/tool-kinds.ts';
import { RUNNING_MS } from '../sessions/use-session.ts';
import { Bar, Panel } from '../ui/basics.tsx';
import { moneyText, shortCount } from '../ui/format.ts';
import { now } from '../ui/time.tsx';

const CALLS_SHOWN = 90;

/** Sessions running now: their last calls, and how full their context is. Nothing if there are none. */
export function RunningNow({ recent: { answer } }: { readonly recent: Loaded<DataOf<'list_sessions'>> }) {
  const running = (answer ? cardsOf(answer.data) : []).filter(
    (card) => now.value - lastMsOf(card) < RUNNING_MS,
  );
  if (running.length === 0) return null;
  return (
    <Panel title="Running now" aside={<a href={pageLinks.cockpit}>Cockpit</a>}>
      <ul class="rows">
        {running.map((card) => (
          <Running key={card.id} card={card} />
        ))}
      </ul>
    </Panel>
  );
}

function Running({ card }: { readonly card: SessionCard }) {
  const { answer } = useAnswer(
    'session_timeline',
    { session_id: card.id },
    { version: card.total_tokens ?? card.duration_seconds ?? card.turn_count },
  );
  const data = answer?.data;
  const context = data?.responses.context.at(-1) ?? 0;
  const share = data?.context_window === undefined ? undefined : context / data.context_window;
  const calls = data?.calls.kind.slice(-CALLS_SHOWN) ?? [];
  const first = (data?.calls.kind.length ?? 0) - calls.length;
  return (
    <li class="running-row">
      <AgentMark provider={card.provider} />
      <a href={pageLinks.session(card.id)} class="cut">
        {card.title ?? (card.snippet || card.id)}
      </a>
      <span class="running-ticks wide-only" aria-hidden="true">
        {calls.map((kind, i) => (
          <span
            key={first + i}
            style={{
              background: `var(--${data?.calls.status[first + i] === 1 ? 'failed' : kindTone(data?.kinds[kind] ?? '')})`,
            }}
          />
        ))}
      </span>
      <span class="running-gauge" title="Context in use">
        {share !== undefined && <Bar share={share} tone={share > 0.85 ? 'failed' : 'running'} />}
        <span class="quiet num">
          {shortCount(context)}
          {data?.context_window !== undefined && ` of ${shortCount(data.context_window)}`}
        </span>
      </span>
      <span class="num">{card.cost_usd === undefined ? '–' : moneyText(card.cost_usd)}</span>
    </li>
  );
}
