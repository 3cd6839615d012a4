import { useEffect, useRef, useState } from 'preact/hooks';
import { useFollow, useLive } from '../data/live.ts';
import { type Loaded, useAnswer } from '../data/use-answer.ts';
import { useThrottled } from '../data/use-throttled.ts';
import { now } from '../ui/time.tsx';
import type { SessionSummary, SubagentCard, TimelineData } from './types.ts';
import { useSubagents } from './use-subagents.ts';
import { type KnownTurns, useTurns } from './use-turns.ts';

/** A session with an event this recent counts as running. */
export const RUNNING_MS = 3 * 60_000;
/** How often a session that never pauses is reloaded. */
const RELOAD_MS = 300;

export interface OpenSession {
  readonly summary: Loaded<SessionSummary>;
  readonly timeline: TimelineData | undefined;
  /** False until everything that decides the height of the strips is loaded. */
  readonly ready: boolean;
  readonly subagents: readonly SubagentCard[];
  readonly turns: KnownTurns;
  readonly events: number;
  readonly live: boolean;
  /** Counts up when a subagent has new events. */
  readonly subagentChanges: number;
}

/** A session with everything the view shows, kept up to date while it runs. */
export function useSession(id: string): OpenSession {
  const summary = useAnswer('get_session_summary', { session_id: id });
  const timeline = useAnswer('session_timeline', { session_id: id });
  const data = summary.answer?.data;
  const events = data?.stats.total_events ?? 0;
  const live = data !== undefined && now.value - Date.parse(data.end_time ?? data.start_time) < RUNNING_MS;
  const turns = useTurns(id, events, live);
  const [subagentChanges, setSubagentChanges] = useState(0);
  const subagents = useSubagents(id, (data?.subagents.length ?? 0) > 0, events + subagentChanges);
  const reload = useThrottled(RELOAD_MS, () => {
    summary.reload();
    timeline.reload();
  });
  useFollow(id);
  // The stream begins with where the session stands, often before the first answer is there.
  const heard = useRef(0);
  useLive('session', (change) => {
    heard.current = change.events;
    if (change.subagents) setSubagentChanges((n) => n + 1);
    if (data === undefined && !change.rewritten) return;
    if (change.events !== events || change.subagents || change.rewritten) reload();
  });
  useEffect(() => {
    if (data !== undefined && heard.current > events) reload();
  }, [data]);
  return {
    summary,
    timeline: timeline.answer?.data,
    ready:
      (timeline.answer ?? timeline.error) !== undefined &&
      (turns.turns.length > 0 || turns.done) &&
      subagents !== undefined,
    subagents: subagents ?? [],
    turns,
    events,
    live,
    subagentChanges,
  };
}
