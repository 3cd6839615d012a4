import { useState } from 'preact/hooks';
import { countText } from '../../../src/contract/people.ts';
import { useAnswer } from '../data/use-answer.ts';
import { withQuery } from '../frame/router.ts';
import { Badge, type Tone } from '../ui/basics.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import type { Analysis as AnalysisData, Insight } from './types.ts';

const TONES: Readonly<Record<Insight['severity'], Tone>> = {
  critical: 'failed',
  warning: 'warning',
  info: 'neutral',
};

/** Findings shown before the rest is asked for. */
const SHOWN = 12;

/** What stands out in a session, each finding with the place that shows it. */
export function Analysis({ base, events }: { readonly base: string; readonly events: number }) {
  const { answer, error, reload } = useAnswer<AnalysisData>(events === 0 ? undefined : `${base}/analysis`, {
    version: events,
  });
  const [all, setAll] = useState(false);
  const data = answer?.data;
  if (error && !data) return <Failure error={error} retry={reload} />;
  if (data === undefined) return <Skeleton lines={6} />;
  return (
    <>
      <p class="score">
        <strong class={data.score >= 80 ? 'ok' : data.score >= 50 ? 'warning' : 'failed'}>
          {data.score}
        </strong>
        <span class="quiet"> of 100</span>
      </p>
      <ul class="penalties">
        {data.penalties.map((penalty) => (
          <li key={penalty.reason}>
            <span class="num failed">−{penalty.points}</span> {penalty.reason}
          </li>
        ))}
      </ul>
      <ul class="rows">
        {data.insights.slice(0, all ? undefined : SHOWN).map((insight) => (
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
      {data.insights.length > SHOWN && (
        <p class="hint-line">
          <button type="button" class="button small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${countText(data.insights.length)} findings`}
          </button>
        </p>
      )}
      {data.insights.length === 0 && <p class="hint-line">Nothing stands out.</p>}
    </>
  );
}
