import { useMemo, useState } from 'preact/hooks';
import { countOf, countText, durationText, shortCount } from '../../../src/contract/people.ts';
import { href } from '../frame/router.ts';
import { Icon } from '../ui/icon.tsx';
import { Skeleton } from '../ui/states.tsx';
import { isOpen, toggleAgent } from './agents-open.ts';
import { StepView } from './step-view.tsx';
import { TurnHead } from './turn-head.tsx';
import type { SubagentCard } from './types.ts';
import { useSteps } from './use-steps.ts';
import { useSubagents } from './use-subagents.ts';
import './branch.css';
import { useTurns } from './use-turns.ts';

/** So many steps are shown first, and more each time. */
const PORTION = 20;

/** The subagents that a call started, where it stands. */
export function Branches(props: {
  readonly agents: readonly SubagentCard[];
  /** The event of the call. */
  readonly event: number;
  readonly version: number;
}) {
  const here = props.agents.filter(({ event }) => event === props.event);
  return (
    <>
      {here.map((agent) => (
        <Branch key={agent.id} agent={agent} version={props.version} />
      ))}
    </>
  );
}

/** A subagent as one line that unfolds into its own transcript. */
export function Branch({ agent, version }: { readonly agent: SubagentCard; readonly version: number }) {
  const open = isOpen(agent.id);
  return (
    <section class="branch" aria-label={`Subagent ${agent.id}`}>
      <div class="branch-head">
        <button type="button" class="branch-fold" aria-expanded={open} onClick={() => toggleAgent(agent.id)}>
          <Icon name={open ? 'down' : 'right'} />
          <strong>{agent.name ?? 'Subagent'}</strong>
          <span class="quiet cut">{agent.task}</span>
        </button>
        <span class="branch-figures">
          <span>{countOf(agent.tool_calls, 'call')}</span>
          {agent.failures > 0 && <span class="failed">{countText(agent.failures)} failed</span>}
          <span>{shortCount(agent.total_tokens)} tok</span>
          <span class="wide-only">{durationText(agent.duration_seconds)}</span>
          <a href={`/sessions/${agent.id}`}>{agent.id}</a>
        </span>
      </div>
      {open && <BranchBody agent={agent} version={version} />}
    </section>
  );
}

function BranchBody({ agent, version }: { readonly agent: SubagentCard; readonly version: number }) {
  const base = `/api/agent-sessions/${agent.id}`;
  const [shown, setShown] = useState(PORTION);
  const { turns, done } = useTurns(base, 1 + version);
  const steps = useSteps(base, version, turns.length - 1);
  const inner = useSubagents(base, agent.subagents !== undefined, version) ?? [];
  const rows = useMemo(
    () =>
      turns.flatMap((turn) => [
        { turn, step: -1 },
        ...Array.from({ length: turn.step_count }, (_, step) => ({ turn, step })),
      ]),
    [turns],
  );
  if (rows.length === 0) return done ? <p class="hint-line">It did nothing yet.</p> : <Skeleton lines={4} />;
  return (
    <div class="branch-body">
      {rows
        .slice(0, shown)
        .map(({ turn, step }) =>
          step < 0 ? (
            <TurnHead key={`${turn.turn_index}`} base={base} turn={turn} current={false} />
          ) : (
            <StepView
              key={`${turn.turn_index}.${step}`}
              base={base}
              turn={turn.turn_index}
              index={step}
              href={href(`/sessions/${agent.id}`, { turn: turn.turn_index, step })}
              step={steps.step(turn.turn_index, step)}
              current={false}
              below={(event) => <Branches agents={inner} event={event} version={version} />}
            />
          ),
        )}
      {rows.length > shown && (
        <p class="hint-line">
          <button type="button" class="button small" onClick={() => setShown(shown + PORTION)}>
            Show {countText(Math.min(PORTION, rows.length - shown))} more of {countText(rows.length)}
          </button>
        </p>
      )}
    </div>
  );
}
