import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go, param, withQuery } from '../frame/router.ts';
import { Choice } from '../ui/basics.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Skeleton } from '../ui/states.tsx';
import { useHeldInView } from '../ui/use-held-in-view.ts';
import { type ListHandle, VirtualList } from '../ui/virtual-list.tsx';
import { FindInSession } from './find-in-session.tsx';
import { StepView } from './step-view.tsx';
import { SubagentsOfCall, SubagentView } from './subagent-view.tsx';
import { SHOWS, transcriptRows } from './transcript-rows.ts';
import { TurnHead } from './turn-head.tsx';
import type { SubagentCard, TimelineData, TurnCard } from './types.ts';
import { useSteps } from './use-steps.ts';
import './transcript.css';

/** The whole session: prompts, thinking, calls and results. Only the visible steps are loaded. */
export function Transcript(props: {
  readonly session: string;
  readonly turns: readonly TurnCard[];
  readonly done: boolean;
  readonly events: number;
  readonly live: boolean;
  readonly timeline: TimelineData | undefined;
  readonly subagents: readonly SubagentCard[];
  /** Counts up when a subagent has new events. */
  readonly version: number;
}) {
  const { session, turns, subagents, version } = props;
  const [atEnd, setAtEnd] = useState(true);
  const list = useRef<ListHandle>(null);
  const steps = useSteps(session, props.events, turns.length - 1);
  const show = SHOWS.find(([id]) => id === param('show'))?.[0] ?? 'all';
  const rows = useMemo(
    () => transcriptRows(turns, show, props.timeline),
    [turns, show, show === 'all' ? undefined : props.timeline],
  );
  const section = useRef<HTMLElement>(null);
  const showSection = useHeldInView(section);
  const turn = param('turn');
  const step = param('step');
  const ready = rows.length > 0 && (props.done || turn === undefined);
  // A running session opens at its end.
  useEffect(() => {
    if (ready && props.live && turn === undefined) list.current?.scrollTo(rows.length - 1, 'end');
  }, [ready && props.done]);
  useEffect(() => {
    if (!ready || turn === undefined) return;
    const rowOf = (wanted: number) =>
      rows.findIndex((row) => row.turn.turn_index === Number(turn) && row.step === wanted);
    const exact = step === undefined ? -1 : rowOf(Number(step));
    // If the step does not exist, go to its turn.
    const at = exact < 0 ? rowOf(-1) : exact;
    if (at < 0) return;
    list.current?.scrollTo(at);
    // On a narrow screen it is below the list of turns; if it is already visible, this does nothing.
    showSection();
  }, [turn, step, ready, show]);

  if (rows.length === 0 && show === 'all')
    return props.done ? <Empty title="This session has no turns." /> : <Skeleton lines={14} />;
  return (
    <section ref={section} class="panel fill-panel transcript" aria-label="Transcript">
      <div class="transcript-bar">
        <Choice
          label="Show"
          options={SHOWS}
          value={show}
          onChange={(value) => go(withQuery({ show: value === 'all' ? undefined : value }))}
        />
        <FindInSession session={session} />
      </div>
      {rows.length === 0 && (
        <p class="hint-line">{props.done ? `No ${show} in this session.` : 'Loading…'}</p>
      )}
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
                <TurnHead session={session} turn={row.turn} current={here} />
                {subagents
                  .filter(
                    ({ event, turn: startedIn }) => event === undefined && startedIn === row.turn.turn_index,
                  )
                  .map((subagent) => (
                    <SubagentView key={subagent.id} subagent={subagent} version={version} />
                  ))}
              </>
            );
          }
          return (
            <StepView
              session={session}
              turn={row.turn.turn_index}
              index={row.step}
              href={withQuery({ turn: row.turn.turn_index, step: row.step, event: undefined })}
              step={steps.step(row.turn.turn_index, row.step)}
              below={(event) => <SubagentsOfCall subagents={subagents} event={event} version={version} />}
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
          <Icon name="down" /> Go to end
        </button>
      )}
    </section>
  );
}
