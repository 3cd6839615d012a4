import { durationText, shortCount } from '../../../src/contract/people.ts';
import { useAnswer } from '../data/use-answer.ts';
import { ProviderMark } from '../sessions/provider-mark.tsx';
import type { SessionCard } from '../sessions/types.ts';
import { Badge, Panel } from '../ui/basics.tsx';
import { Skeleton } from '../ui/states.tsx';
import { shortTime } from '../ui/time.tsx';

/** What coding agents did in the last day. */
export function TodayPanel() {
  const { answer, error } = useAnswer<{ readonly sessions: readonly SessionCard[] }>(
    '/api/agent-sessions?since=1d&limit=8',
    { every: 15_000 },
  );
  const sessions = answer?.data.sessions ?? [];
  return (
    <Panel
      title="Agents, last 24 hours"
      aside={<a href="/sessions">all sessions</a>}
      busy={!answer && !error}
    >
      {!answer && !error && <Skeleton lines={5} />}
      {(error || (answer && sessions.length === 0)) && (
        <p class="hint-line">No agent has worked here since yesterday.</p>
      )}
      <ul class="rows">
        {sessions.map((card) => (
          <li key={card.id} class="today-row">
            <span class="quiet num">{shortTime(card.start_time)}</span>
            <ProviderMark provider={card.provider} />
            <a href={`/sessions/${card.id}`} class="cut">
              {card.title ?? (card.snippet || card.id)}
            </a>
            {card.failures ? <Badge tone="failed">{card.failures} failed</Badge> : <span />}
            <span class="quiet num">{durationText(card.duration_seconds)}</span>
            <span class="num wide-only">{shortCount(card.total_tokens)} tok</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
