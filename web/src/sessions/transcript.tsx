import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { param, withQuery } from '../frame/router.ts';
import { Icon } from '../ui/icon.tsx';
import { Empty, Skeleton } from '../ui/states.tsx';
import { type ListHandle, VirtualList } from '../ui/virtual-list.tsx';
import { Branch, Branches } from './branch.tsx';
import { StepView } from './step-view.tsx';
import { TurnHead } from './turn-head.tsx';
import type { SubagentCard, TurnCard } from './types.ts';
import { useSteps } from './use-steps.ts';
import './transcript.css';

/** A line of the transcript: the head of a turn, or one of its steps. */
interface Row {
  readonly turn: TurnCard;
  /** -1 for the head. */
  readonly step: number;
}

/** The whole session as it went: prompts, thoughts, calls, results. Only what is seen is fetched. */
export function Transcript(props: {
  readonly base: string;
  readonly turns: readonly TurnCard[];
  readonly done: boolean;
  readonly events: number;
  readonly live: boolean;
  readonly agents: readonly SubagentCard[];
  /** Counts up when a subagent went on. */
  readonly version: number;
}) {
  const { base, turns, agents, version } = props;
  const [atEnd, setAtEnd] = useState(true);
  const list = useRef<ListHandle>(null);
  const steps = useSteps(base, props.events, turns.length - 1);
  const rows = useMemo(
    () =>
      turns.flatMap((turn): Row[] => [
        { turn, step: -1 },
        ...Array.from({ length: turn.step_count }, (_, step) => ({ turn, step })),
      ]),
    [turns],
  );
  const turn = param('turn');
  const step = param('step');
  const ready = rows.length > 0 && (props.done || turn === undefined);
  // Who opens a session that runs wants to see what it does now.
  useEffect(() => {
    if (ready && props.live && turn === undefined) list.current?.scrollTo(rows.length - 1, 'end');
  }, [ready && props.done]);
  useEffect(() => {
    if (!ready || turn === undefined) return;
    const rowOf = (wanted: number) =>
      rows.findIndex((row) => row.turn.turn_index === Number(turn) && row.step === wanted);
    const exact = step === undefined ? -1 : rowOf(Number(step));
    // A step that is not there leads to its turn.
    const at = exact < 0 ? rowOf(-1) : exact;
    if (at < 0) return;
    list.current?.scrollTo(at);
    // Rows on the way are measured only now: a second time lands exactly.
    const timer = setTimeout(() => list.current?.scrollTo(at), 120);
    return () => clearTimeout(timer);
  }, [turn, step, ready]);

  if (rows.length === 0)
    return props.done ? <Empty title="This session has no turns." /> : <Skeleton lines={14} />;
  return (
    <section class="panel fill-panel transcript" aria-label="Transcript">
      <VirtualList
        label="Transcript"
        class="entry-list"
        handle={list}
        rows={rows}
        keyOf={(row) => `${row.turn.turn_index}.${row.step}`}
        rowHeight={120}
        follow={props.live}
        onAtEnd={setAtEnd}
        render={(row) => {
          const here = String(row.turn.turn_index) === turn && String(row.step) === (step ?? '-1');
          if (row.step < 0) {
            return (
              <>
                <TurnHead base={base} turn={row.turn} current={here} />
                {agents
                  .filter(({ event, turn: begun }) => event === undefined && begun === row.turn.turn_index)
                  .map((agent) => (
                    <Branch key={agent.id} agent={agent} version={version} />
                  ))}
              </>
            );
          }
          return (
            <StepView
              base={base}
              turn={row.turn.turn_index}
              index={row.step}
              href={withQuery({ turn: row.turn.turn_index, step: row.step, event: undefined })}
              step={steps.step(row.turn.turn_index, row.step)}
              below={(event) => <Branches agents={agents} event={event} version={version} />}
              current={here}
            />
          );
        }}
      />
      {props.live && !atEnd && (
        <button
          type="button"
          class="button small to-end"
          onClick={() => list.current?.scrollTo(rows.length - 1, 'end')}
        >
          <Icon name="down" /> To the end
        </button>
      )}
    </section>
  );
}
