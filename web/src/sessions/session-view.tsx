import { useEffect, useState } from 'preact/hooks';
import { call } from '../data/client.ts';
import { useAnswer } from '../data/use-answer.ts';
import { go, param, withQuery } from '../frame/router.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Analysis } from './analysis.tsx';
import { SessionHead } from './session-head.tsx';
import { SessionSide } from './session-side.tsx';
import { Strips } from './strips.tsx';
import type { TimelineData } from './timeline-data.ts';
import { Transcript } from './transcript.tsx';
import type { EventDetails, SessionSummary } from './types.ts';
import { useTurns } from './use-turns.ts';

const LIVE_MS = 3 * 60_000;
const LOOK_MS = 3_000;

/** One session: strips over its whole length, its turns, its transcript, and what stands out in it. */
export function SessionView({ id }: { readonly id: string }) {
  const base = `/api/agent-sessions/${encodeURIComponent(id)}`;
  const [live, setLive] = useState(false);
  const summary = useAnswer<SessionSummary>(base, live ? { every: LOOK_MS } : {});
  const data = summary.answer?.data;
  const events = data?.stats.total_events ?? 0;
  useEffect(() => {
    if (data) setLive(Date.now() - Date.parse(data.end_time) < LIVE_MS);
  }, [data?.end_time]);
  const turns = useTurns(base, events);
  const timeline = useAnswer<TimelineData>(
    data ? `${base}/timeline` : undefined,
    live ? { every: LOOK_MS } : {},
  );
  useEventJump(base);

  if (summary.error && !data) {
    return (
      <div class="view">
        <Failure error={summary.error} retry={summary.reload} />
        <a href="/sessions">All sessions</a>
      </div>
    );
  }
  if (data === undefined) return <Skeleton lines={16} />;
  return (
    <div class="view fill session-view">
      <SessionHead summary={data} live={live} />
      {timeline.answer && turns.turns.length > 0 && (
        <Strips timeline={timeline.answer.data} turns={turns.turns} events={events} />
      )}
      <div class="session-body">
        <SessionSide turns={turns.turns} summary={data}>
          <Analysis base={base} events={events} />
        </SessionSide>
        <Transcript base={base} turns={turns.turns} done={turns.done} events={events} live={live} />
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
