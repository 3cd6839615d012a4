import type { ComponentChildren } from 'preact';
import { param } from '../frame/router.ts';
import { moneyText, shortCount } from '../ui/format.ts';
import { Skeleton } from '../ui/states.tsx';
import { LongText } from './long-text.tsx';
import { ToolCall } from './tool-call.tsx';
import type { StepCard } from './types.ts';

/** One step: the model's thinking, message and calls. */
export function StepView(props: {
  readonly session: string;
  readonly turn: number;
  readonly index: number;
  readonly step: StepCard | undefined;
  readonly current: boolean;
  /** The address of this step. */
  readonly href: string;
  /** What to show below a call, by its event: the subagents it started. */
  readonly below?: (event: number) => ComponentChildren;
}) {
  const { step } = props;
  return (
    <article class={props.current ? 'step current' : 'step'}>
      <p class="step-meta">
        <a href={props.href} class="mono">
          <span class="hidden-text">step </span>
          {props.turn}.{props.index}
        </a>
        {step?.tokens ? <span class="quiet">{shortCount(step.tokens)} tokens</span> : null}
        {step?.cost_usd !== undefined && step.cost_usd > 0 && (
          <span class="quiet" title="Estimated from list prices">
            {moneyText(step.cost_usd)}
          </span>
        )}
      </p>
      <div class="step-body">
        {step === undefined && <Skeleton lines={3} />}
        {step?.reasoning && (
          <details class="reasoning">
            <summary>Thinking</summary>
            <LongText
              session={props.session}
              text={step.reasoning}
              events={step.reasoning_events}
              as="markdown"
            />
          </details>
        )}
        {step?.message && (
          <div class="message">
            <LongText
              session={props.session}
              text={step.message}
              events={step.message_events}
              as="markdown"
            />
          </div>
        )}
        {step?.tools.map((tool) => (
          <ToolCall
            key={tool.event_index}
            session={props.session}
            tool={tool}
            current={props.current && param('event') === String(tool.event_index)}
          >
            {props.below?.(tool.event_index)}
          </ToolCall>
        ))}
      </div>
    </article>
  );
}
