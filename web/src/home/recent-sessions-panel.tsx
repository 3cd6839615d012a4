import { logsReading } from '../data/logs-reading.ts';
import type { DataOf } from '../data/operations.ts';
import type { Loaded } from '../data/use-answer.ts';
import { pageLinks } from '../frame/router.ts';
import { AgentMark } from '../sessions/agent-mark.tsx';
import { cardsOf } from '../sessions/session-cards.ts';
import { Badge, Panel } from '../ui/basics.tsx';
import { durationText, shortCount } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { StartTime } from '../ui/time.tsx';

const SESSIONS_SHOWN = 8;

/** The latest sessions of the last day. */
export function RecentSessionsPanel(props: { readonly recent: Loaded<DataOf<'list_sessions'>> }) {
  const { answer, error } = props.recent;
  const sessions = answer ? cardsOf(answer.data).slice(0, SESSIONS_SHOWN) : [];
  return (
    <Panel
      title="Recent sessions"
      aside={<a href={pageLinks.sessions()}>All sessions</a>}
      busy={!answer && !error}
    >
      {!answer && !error && <Skeleton lines={5} />}
      {error && !answer && <Failure error={error} />}
      {answer && sessions.length === 0 && (
        <p class="hint-line">
          {logsReading.value === undefined
            ? 'No sessions in the last 24 hours.'
            : 'None found yet: agent logs are still being read.'}
        </p>
      )}
      <ul class="rows">
        {sessions.map((card) => (
          <li key={card.id} class="recent-row">
            <StartTime at={card.start_time} />
            <AgentMark provider={card.provider} />
            <a href={pageLinks.session(card.id)} class="cut">
              {card.title ?? (card.snippet || card.id)}
            </a>
            {card.failures ? <Badge tone="failed">{card.failures} failed</Badge> : <span />}
            <span class="quiet num">
              {card.duration_seconds !== undefined && durationText(card.duration_seconds)}
            </span>
            <span class="num wide-only">
              {card.total_tokens !== undefined && `${shortCount(card.total_tokens)} tokens`}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
