import { countOf, durationText, shortCount } from '../../../src/contract/people.ts';
import { Badge, type Tone } from '../ui/basics.tsx';
import { shortTime } from '../ui/time.tsx';
import { LongText } from './long-text.tsx';
import type { TurnCard } from './types.ts';

const TONES: Readonly<Record<string, Tone>> = {
  success: 'ok',
  partial: 'warning',
  failed: 'failed',
  interrupted: 'warning',
};

/** Where a turn begins: what the person asked for. */
export function TurnHead(props: {
  readonly base: string;
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
          {countOf(turn.step_count, 'step')}, {durationText(turn.duration_seconds)}, {shortCount(turn.tokens)}{' '}
          tokens
        </span>
        {turn.compactions && <Badge tone="warning">compacted</Badge>}
        {turn.rewound && <Badge>rewound</Badge>}
        {turn.inherited && <Badge>inherited</Badge>}
      </p>
      <div class="prompt" tabIndex={-1}>
        <LongText base={props.base} text={turn.user_message || '(no prompt)'} events={[turn.event_index]} />
      </div>
    </div>
  );
}
