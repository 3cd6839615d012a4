import type { ComponentChildren } from 'preact';
import { pageLinks } from '../frame/router.ts';
import { Badge } from '../ui/basics.tsx';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { Ago } from '../ui/time.tsx';
import type { Clash, Edit, Loop } from './trouble.ts';
import type { Agent } from './use-agents.ts';

/** What deserves a look: files that two agents are changing, and agents that repeat themselves. */
export function TroubleList(props: {
  readonly agents: readonly Agent[];
  readonly clashes: readonly Clash[];
  readonly loops: readonly Loop[];
}) {
  const agentOf = new Map(props.agents.map((agent) => [agent.card.id, agent]));
  return (
    <ul class="rows trouble-list">
      {props.clashes.map(({ path, edits }) => (
        <li key={path}>
          <p class="trouble-head">
            <Badge tone="failed">◆ same file</Badge>
            <a class="mono" href={pageLinks.fileHistory(path)} title={path}>
              <MiddleCut text={path} />
            </a>
          </p>
          {edits.map((edit) => (
            <Author key={edit.session} agent={agentOf.get(edit.session)} edit={edit}>
              <Ago at={edit.at} />
            </Author>
          ))}
        </li>
      ))}
      {props.loops.map((loop) => (
        <li key={`${loop.session} ${loop.event}`}>
          <p class="trouble-head">
            <Badge tone="warning">↻ repeats itself</Badge>
            <span class="cut" title={loop.message}>
              {loop.message}
            </span>
          </p>
          <Author agent={agentOf.get(loop.session)} edit={loop} />
        </li>
      ))}
    </ul>
  );
}

/** The session that did something, as a link to the step. */
export function Author(props: {
  readonly agent: Agent | undefined;
  readonly edit: Pick<Edit, 'session' | 'turn'> & {
    readonly step: number | undefined;
    readonly event: number | undefined;
  };
  readonly children?: ComponentChildren;
}) {
  const { agent, edit } = props;
  const { card } = agent ?? {};
  return (
    <p class="author">
      <span class="agent-swatch" style={{ background: agent?.colour ?? 'var(--c8)' }} />
      <a
        class="cut"
        href={pageLinks.session(edit.session, { turn: edit.turn, step: edit.step, event: edit.event })}
      >
        {card?.title ?? (card?.snippet || edit.session)}
      </a>
      <span class="quiet">{props.children}</span>
    </p>
  );
}
