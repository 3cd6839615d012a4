import { pageLinks } from '../frame/router.ts';
import { AgentMark } from '../sessions/agent-mark.tsx';
import { durationText, moneyText, shortCount } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { second } from './clock.ts';
import { ClockCanvas } from './clock-canvas.tsx';
import { drawStrip, type Mark, STRIP_HEIGHT } from './clock-draw.ts';
import { ContextGauge } from './context-gauge.tsx';
import type { Edit } from './trouble.ts';
import type { Agent } from './use-agents.ts';

const HOUR_MS = 3_600_000;

/** One agent: what it is working on, its timeline strip, how full its context is, and what it costs. */
export function AgentRow(props: {
  readonly agent: Agent;
  readonly spanMs: number;
  readonly marks: readonly Mark[];
  readonly lastEdit: Edit | undefined;
}) {
  const { agent, spanMs, marks } = props;
  const { card, timeline, running } = agent;
  const title = card.title ?? (card.snippet || card.id);
  const perHour = agent.cost === undefined ? undefined : (agent.cost * HOUR_MS) / spanMs;
  return (
    <li class={running ? 'agent-row' : 'agent-row agent-ended'}>
      <div class="agent-words">
        <p class="agent-title">
          <span class="agent-swatch" style={{ background: agent.colour }} />
          <AgentMark provider={card.provider} />
          <a href={pageLinks.session(card.id)} class="cut" title={title}>
            {title}
          </a>
        </p>
        <p class="quiet agent-where">
          {card.project && <MiddleCut text={card.project} />}
          {card.model && <span>{card.model.replace(/^claude-/, '')}</span>}
        </p>
        <Doing agent={agent} lastEdit={props.lastEdit} />
      </div>
      {timeline ? (
        <ClockCanvas
          spanMs={spanMs}
          height={STRIP_HEIGHT}
          draw={(canvas, span, width, colour) =>
            drawStrip(
              canvas,
              {
                timeline,
                marks,
                pendingSince: agent.pending?.since,
                endedAt: running ? undefined : agent.lastMs,
              },
              span,
              width,
              colour,
            )
          }
        />
      ) : (
        <div class="clock-canvas" style={{ height: `${STRIP_HEIGHT}px` }} />
      )}
      <ContextGauge tokens={timeline?.responses.context.at(-1) ?? 0} window={timeline?.context_window} />
      <p class="agent-cost num">
        <strong>{perHour === undefined ? '–' : moneyText(perHour)}</strong>
        <span class="quiet"> per hour</span>
        <span class="quiet agent-spent">
          {card.cost_usd === undefined
            ? card.total_tokens && `${shortCount(card.total_tokens)} tokens`
            : `${moneyText(card.cost_usd)} so far`}
        </span>
      </p>
    </li>
  );
}

/** What an agent is doing right now, in words. */
function Doing({ agent, lastEdit }: { readonly agent: Agent; readonly lastEdit: Edit | undefined }) {
  const since = (at: number) => durationText(Math.max(0, second.value - at) / 1000);
  if (agent.pending !== undefined) {
    return (
      <p class="agent-doing running">
        <strong>{agent.pending.name}</strong> for {since(agent.pending.since)}
      </p>
    );
  }
  if (!agent.running) return <p class="agent-doing quiet">quiet for {since(agent.lastMs)}</p>;
  const { lastCall } = agent;
  if (lastCall === undefined) return <p class="agent-doing quiet">answering</p>;
  const name =
    lastEdit !== undefined && lastEdit.at === lastCall.at ? ` ${lastEdit.path.split('/').at(-1)}` : '';
  return (
    <p class="agent-doing quiet">
      {lastCall.name}
      {name}, {since(lastCall.at)} ago
    </p>
  );
}
