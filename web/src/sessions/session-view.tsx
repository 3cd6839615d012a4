import { useEffect, useMemo } from 'preact/hooks';
import { call } from '../data/call.ts';
import { useLive } from '../data/live.ts';
import { useFreshness } from '../frame/freshness.tsx';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { CodeRoot } from '../ui/code-root.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Analysis } from './analysis.tsx';
import { SessionHead } from './session-head.tsx';
import { SessionSide } from './session-side.tsx';
import { Strips } from './strips.tsx';
import { Transcript } from './transcript.tsx';
import { useSession } from './use-session.ts';
import './session.css';

/** One session: an overview in strips, its turns, its findings and its transcript. */
export function SessionView({ id }: { readonly id: string }) {
  const { summary, timeline, ready, subagents, turns, events, live, subagentChanges } = useSession(id);
  const data = summary.answer?.data;
  // Where the last turn ends is known only when all turns are.
  const shownTurns = useMemo(() => (turns.done ? turns.turns : turns.turns.slice(0, -1)), [turns]);
  useEventJump(id);
  useTitle(data && (data.title ?? data.first_prompt));
  useFreshness('last event', data?.end_time);
  // Its log may not have been read yet.
  useLive('sessions', () => {
    if (summary.error && !data) summary.reload();
  });

  if (summary.error && !data) {
    return (
      <Failure error={summary.error} retry={summary.reload}>
        <a href={pageLinks.sessions()}>All sessions</a>
      </Failure>
    );
  }
  if (data === undefined) return <Skeleton lines={16} />;
  return (
    <CodeRoot.Provider value={data.cwd ?? data.project?.path}>
      <div class="view fill session-view">
        <SessionHead summary={data} live={live} />
        {!ready && <div class="strips panel strips-waiting" />}
        {ready && timeline && turns.turns.length > 0 && (
          <Strips
            timeline={timeline}
            subagents={subagents}
            turns={shownTurns}
            events={events}
            version={subagentChanges}
          />
        )}
        <div class="session-body">
          <SessionSide session={id} turns={turns.turns} summary={data} timeline={timeline}>
            <Analysis session={id} events={events} />
          </SessionSide>
          <Transcript
            session={id}
            turns={turns.turns}
            done={turns.done}
            events={events}
            live={live}
            timeline={timeline}
            subagents={subagents}
            version={subagentChanges}
          />
        </div>
      </div>
    </CodeRoot.Provider>
  );
}

/** An address may name only an event: this adds its turn and step. */
function useEventJump(session: string): void {
  const event = param('event');
  const turn = param('turn');
  useEffect(() => {
    if (event === undefined || turn !== undefined) return;
    const stop = new AbortController();
    const input = { session_id: session, event_index: Number(event) };
    call('get_event_details', input, { signal: stop.signal, maxBytes: 2_000 }).then(
      ({ data }) =>
        go(withQuery({ turn: data.turn_index ?? 0, step: data.step_index ?? 0 }), { replace: true }),
      () => {},
    );
    return () => stop.abort();
  }, [session, event, turn]);
}
