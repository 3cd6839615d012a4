import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useFollow, useLive } from '../data/live.ts';
import { type Loaded, useAnswer } from '../data/use-answer.ts';
import { now } from '../ui/time.tsx';
import type { SessionSummary, SubagentCard, TimelineData } from './types.ts';
import { useSubagents } from './use-subagents.ts';
import { type KnownTurns, useTurns } from './use-turns.ts';

/** A session that was written to this recently counts as running. */
const LIVE_MS = 3 * 60_000;
/** A session that writes without a pause is asked about this often. */
const LOOK_MS = 300;

export interface OpenSession {
  readonly base: string;
  readonly summary: Loaded<SessionSummary>;
  readonly timeline: TimelineData | undefined;
  /** False until everything is here that decides how high the strips are. */
  readonly ready: boolean;
  readonly subagents: readonly SubagentCard[];
  readonly turns: KnownTurns;
  readonly events: number;
  readonly live: boolean;
  /** Counts up when subagents went on. */
  readonly agents: number;
}

/** All that is known of a session, kept up to date while it runs. */
export function useSession(id: string): OpenSession {
  const base = `/api/agent-sessions/${encodeURIComponent(id)}`;
  const summary = useAnswer<SessionSummary>(base);
  const timeline = useAnswer<TimelineData>(`${base}/timeline`);
  const data = summary.answer?.data;
  const events = data?.stats.total_events ?? 0;
  const turns = useTurns(base, events);
  const [agents, setAgents] = useState(0);
  const subagents = useSubagents(base, (data?.subagents.length ?? 0) > 0, events + agents);
  const reload = useAtMost(LOOK_MS, () => {
    summary.reload();
    timeline.reload();
  });
  useFollow(id);
  useLive('session', (change) => {
    if (change.subagents) setAgents((n) => n + 1);
    if (change.events !== events || change.subagents || change.rewritten) reload();
  });
  return {
    base,
    summary,
    timeline: timeline.answer?.data,
    ready:
      (timeline.answer ?? timeline.error) !== undefined &&
      (turns.turns.length > 0 || turns.done) &&
      subagents !== undefined,
    subagents: subagents ?? [],
    turns,
    events,
    live: data !== undefined && now.value - Date.parse(data.end_time) < LIVE_MS,
    agents,
  };
}

/** The work, but not more often than every `ms`; the last wish is never lost. */
function useAtMost(ms: number, work: () => void): () => void {
  const latest = useRef(work);
  latest.current = work;
  const state = useRef<{ at: number; timer: ReturnType<typeof setTimeout> | undefined }>({
    at: 0,
    timer: undefined,
  });
  useEffect(() => () => clearTimeout(state.current.timer), []);
  return useCallback(() => {
    if (state.current.timer !== undefined) return;
    const wait = Math.max(0, state.current.at + ms - Date.now());
    state.current.timer = setTimeout(() => {
      state.current = { at: Date.now(), timer: undefined };
      latest.current();
    }, wait);
  }, [ms]);
}
