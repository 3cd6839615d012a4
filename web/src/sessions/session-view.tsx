import { useEffect } from 'preact/hooks';
import { call } from '../data/client.ts';
import { useLive } from '../data/live.ts';
import { useFreshness } from '../frame/freshness.tsx';
import { go, param, withQuery } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Analysis } from './analysis.tsx';
import { SessionHead } from './session-head.tsx';
import { SessionSide } from './session-side.tsx';
import { Strips } from './strips.tsx';
import { Transcript } from './transcript.tsx';
import type { EventDetails } from './types.ts';
import { useSession } from './use-session.ts';
import './session.css';

/** One session: strips over its whole length, its turns, its transcript, and what stands out in it. */
export function SessionView({ id }: { readonly id: string }) {
  const { base, summary, timeline, ready, subagents, turns, events, live, agents } = useSession(id);
  const data = summary.answer?.data;
  useEventJump(base);
  useTitle(data && (data.title ?? data.first_prompt));
  useFreshness('last event', data?.end_time);
  // It may be among the logs that are still being read.
  useLive('sessions', () => {
    if (summary.error && !data) summary.reload();
  });

  if (summary.error && !data) {
    return (
      <Failure error={summary.error} retry={summary.reload}>
        <a href="/sessions">All sessions</a>
      </Failure>
    );
  }
  if (data === undefined) return <Skeleton lines={16} />;
  return (
    <div class="view fill session-view">
      <SessionHead summary={data} live={live} />
      {!ready && <div class="strips panel strips-waiting" />}
      {ready && timeline && turns.turns.length > 0 && (
        <Strips
          timeline={timeline}
          subagents={subagents}
          turns={turns.turns}
          events={events}
          version={agents}
        />
      )}
      <div class="session-body">
        <SessionSide base={base} turns={turns.turns} summary={data}>
          <Analysis base={base} events={events} />
        </SessionSide>
        <Transcript
          base={base}
          turns={turns.turns}
          done={turns.done}
          events={events}
          live={live}
          agents={subagents}
          version={agents}
        />
      </div>
    </div>
  );
}

/** An address may name an event only: it is found in its turn and step. */
function useEventJump(base: string): void {
  const event = param('event');
  const turn = param('turn');
  useEffect(() => {
    if (event === undefined || turn !== undefined) return;
    const stop = new AbortController();
    call<EventDetails>('GET', `${base}/events/${encodeURIComponent(event)}?max_bytes=2000`, {
      signal: stop.signal,
    }).then(
      ({ data }) =>
        go(withQuery({ turn: data.turn_index ?? 0, step: data.step_index ?? 0 }), { replace: true }),
      () => {},
    );
    return () => stop.abort();
  }, [base, event, turn]);
}
