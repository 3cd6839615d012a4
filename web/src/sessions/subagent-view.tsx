import { useMemo, useState } from 'preact/hooks';
import { pageLinks } from '../frame/router.ts';
import { countOf, countText, durationText, shortCount } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Skeleton } from '../ui/states.tsx';
import { isOpen, toggleSubagent } from './open-subagents.ts';
import { StepView } from './step-view.tsx';
import { TurnHead } from './turn-head.tsx';
import type { SubagentCard } from './types.ts';
import { useSteps } from './use-steps.ts';
import { useSubagents } from './use-subagents.ts';
import './subagent.css';
import { useTurns } from './use-turns.ts';

/** How many steps are shown at first, and how many each click adds. */
const STEPS_SHOWN = 20;

/** The subagents that a call started, below the call. */
export function SubagentsOfCall(props: {
  readonly subagents: readonly SubagentCard[];
  /** The event of the call. */
  readonly event: number;
  readonly version: number;
}) {
  const started = props.subagents.filter(({ event }) => event === props.event);
  return (
    <>
      {started.map((subagent) => (
        <SubagentView key={subagent.id} subagent={subagent} version={props.version} />
      ))}
    </>
  );
}

/** A subagent as one line that opens its transcript. */
export function SubagentView({
  subagent,
  version,
}: {
  readonly subagent: SubagentCard;
  readonly version: number;
}) {
  const open = isOpen(subagent.id);
  return (
    <section class="subagent" aria-label={`Subagent ${subagent.id}`}>
      <div class="subagent-head">
        <button
          type="button"
          class="subagent-fold"
          aria-expanded={open}
          onClick={() => toggleSubagent(subagent.id)}
        >
          <Icon name={open ? 'down' : 'right'} />
          <strong>{subagent.name ?? 'Subagent'}</strong>
          <span class="quiet cut">{subagent.task}</span>
        </button>
        <span class="subagent-figures">
          <span>{countOf(subagent.tool_calls, 'call')}</span>
          {subagent.failures > 0 && <span class="failed">{countText(subagent.failures)} failed</span>}
          {subagent.total_tokens !== undefined && (
            <span>
              {shortCount(subagent.total_tokens)}
              <span class="wide-only"> tokens</span>
            </span>
          )}
          {subagent.duration_seconds !== undefined && (
            <span class="wide-only">{durationText(subagent.duration_seconds)}</span>
          )}
          <a href={pageLinks.session(subagent.id)}>{subagent.id}</a>
        </span>
      </div>
      {open && <SubagentTranscript subagent={subagent} version={version} />}
    </section>
  );
}

function SubagentTranscript({
  subagent,
  version,
}: {
  readonly subagent: SubagentCard;
  readonly version: number;
}) {
  const { id } = subagent;
  const [shown, setShown] = useState(STEPS_SHOWN);
  const { turns, done } = useTurns(id, 1 + version, false);
  const steps = useSteps(id, version, turns.length - 1);
  const nested = useSubagents(id, subagent.subagents !== undefined, version) ?? [];
  const rows = useMemo(
    () =>
      turns.flatMap((turn) => [
        { turn, step: -1 },
        ...Array.from({ length: turn.step_count }, (_, step) => ({ turn, step })),
      ]),
    [turns],
  );
  if (rows.length === 0) return done ? <p class="hint-line">Nothing yet.</p> : <Skeleton lines={4} />;
  return (
    <div class="subagent-body">
      {rows
        .slice(0, shown)
        .map(({ turn, step }) =>
          step < 0 ? (
            <TurnHead key={`${turn.turn_index}`} session={id} turn={turn} current={false} />
          ) : (
            <StepView
              key={`${turn.turn_index}.${step}`}
              session={id}
              turn={turn.turn_index}
              index={step}
              href={pageLinks.session(id, { turn: turn.turn_index, step })}
              step={steps.step(turn.turn_index, step)}
              current={false}
              below={(event) => <SubagentsOfCall subagents={nested} event={event} version={version} />}
            />
          ),
        )}
      {rows.length > shown && (
        <p class="hint-line">
          <button type="button" class="button small" onClick={() => setShown(shown + STEPS_SHOWN)}>
            Show more ({countText(rows.length - shown)} left)
          </button>
        </p>
      )}
    </div>
  );
}
