import { Badge, type Tone } from '../ui/basics.tsx';
import { countOf, durationText, shortCount } from '../ui/format.ts';
import { shortTime } from '../ui/time.tsx';
import { LongText } from './long-text.tsx';
import type { TurnCard } from './types.ts';

const TONES: Readonly<Record<string, Tone>> = {
  success: 'ok',
  partial: 'warning',
  failed: 'failed',
  interrupted: 'warning',
};

/** The head of a turn: its figures and the prompt. */
export function TurnHead(props: {
  readonly session: string;
  readonly turn: TurnCard;
  readonly current: boolean;
}) {
  const { turn, current } = props;
  return (
    <div class={current ? 'turn-head current' : 'turn-head'}>
      <p class="turn-meta">
        <strong>Turn {turn.turn_index}</strong>
        <span class="quiet">{shortTime(turn.start_time)}</span>
        <Badge tone={TONES[turn.outcome]}>{turn.outcome}</Badge>
        <span class="quiet">
          {turn.step_count === 0
            ? 'no answer'
            : [
                countOf(turn.step_count, 'step'),
                turn.duration_seconds !== undefined && durationText(turn.duration_seconds),
                turn.tokens !== undefined && `${shortCount(turn.tokens)} tokens`,
              ]
                .filter(Boolean)
                .join(', ')}
        </span>
        {turn.compactions && <Badge tone="warning">compacted</Badge>}
        {turn.rewound && <Badge>rewound by the user</Badge>}
        {turn.inherited && <Badge>copied from the parent</Badge>}
      </p>
      <div class="prompt" tabIndex={-1}>
        <LongText
          session={props.session}
          text={turn.user_message || '(no prompt)'}
          events={[turn.event_index]}
          as="markdown"
        />
      </div>
    </div>
  );
}
