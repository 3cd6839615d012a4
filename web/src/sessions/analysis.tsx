import { useState } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { withQuery } from '../frame/router.ts';
import { Badge, type Tone } from '../ui/basics.tsx';
import { countText } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import type { Insight } from './types.ts';

const TONES: Readonly<Record<Insight['severity'], Tone>> = {
  critical: 'failed',
  warning: 'warning',
  info: 'neutral',
};

/** How many findings are shown at first. */
const FINDINGS_SHOWN = 12;

/** The score and the findings of a session; each finding links to its step. */
export function Analysis({ session, events }: { readonly session: string; readonly events: number }) {
  const { answer, error, reload } = useAnswer(
    'analyze_session',
    events === 0 ? undefined : { session_id: session },
    { version: events },
  );
  const [all, setAll] = useState(false);
  const data = answer?.data;
  if (error && !data) return <Failure error={error} retry={reload} />;
  if (data === undefined) return <Skeleton lines={6} />;
  const { score = 100, penalties = [], insights = [] } = data;
  return (
    <>
      <p class="score">
        <strong class={score >= 80 ? 'ok' : score >= 50 ? 'warning' : 'failed'}>{score}</strong>
        <span class="quiet"> of 100</span>
      </p>
      <ul class="penalties">
        {penalties.map((penalty) => (
          <li key={penalty.reason}>
            <span class="num failed">−{penalty.points}</span> {penalty.reason}
          </li>
        ))}
      </ul>
      <ul class="rows">
        {insights.slice(0, all ? undefined : FINDINGS_SHOWN).map((insight) => (
          <li key={`${insight.lens} ${insight.turn_index} ${insight.event_index} ${insight.message}`}>
            <a
              class="insight"
              href={withQuery({
                turn: Math.max(0, insight.turn_index),
                step: insight.step_index,
                event: undefined,
              })}
            >
              <span>
                <Badge tone={TONES[insight.severity]}>{insight.lens.replaceAll('_', ' ')}</Badge>{' '}
                <span class="quiet">turn {insight.turn_index}</span>
              </span>
              <span>{insight.message}</span>
            </a>
          </li>
        ))}
      </ul>
      {insights.length > FINDINGS_SHOWN && (
        <p class="hint-line">
          <button type="button" class="button small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${countText(insights.length)} findings`}
          </button>
        </p>
      )}
      {insights.length === 0 && <p class="hint-line">No findings.</p>}
    </>
  );
}
