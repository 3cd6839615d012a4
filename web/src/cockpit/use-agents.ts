import { useMemo, useState } from 'preact/hooks';
import { useLive } from '../data/live.ts';
import { useAnswer } from '../data/use-answer.ts';
import { useEach } from '../data/use-each.ts';
import { useThrottled } from '../data/use-throttled.ts';
import { cardsOf, LISTED_FIELDS, lastMsOf, type SessionCard } from '../sessions/session-cards.ts';
import type { TimelineData, TouchedFile } from '../sessions/types.ts';
import { RUNNING_MS } from '../sessions/use-session.ts';
import { coloursOf } from '../ui/series-colours.ts';
import { second } from './clock.ts';
import { type Clash, clashesOf, type Edit, type Loop, loopsOf } from './trouble.ts';
import { useEdits } from './use-edits.ts';

/** The status number that timelines use. */
const PENDING = 4;
/** Agents write many times per second; the page asks less often. */
const RELOAD_MS = 1_000;
const REFRESH_MS = 10_000;
const FILES_EACH = 60;

/** A session that was written to in the time span shown. */
export interface Agent {
  readonly card: SessionCard;
  readonly running: boolean;
  readonly lastMs: number;
  /** The colour of its edits, as a CSS variable. */
  readonly colour: string;
  readonly timeline: TimelineData | undefined;
  /** The call that has no result yet. */
  readonly pending: { readonly name: string; readonly since: number } | undefined;
  readonly lastCall: { readonly name: string; readonly at: number } | undefined;
  readonly files: readonly TouchedFile[];
  readonly loops: readonly Loop[];
  /** In the time span shown; undefined if no price is known. */
  readonly cost: number | undefined;
}

export interface Cockpit {
  /** Undefined until the first answer. */
  readonly agents: readonly Agent[] | undefined;
  readonly edits: readonly Edit[];
  readonly clashes: readonly Clash[];
}

/** Everything that agents did in the last `spanMs`, kept up to date. */
export function useAgents(spanMs: number): Cockpit {
  const [version, setVersion] = useState(0);
  const bump = useThrottled(RELOAD_MS, () => setVersion((n) => n + 1));
  useLive('sessions', bump);
  useLive('hello', bump);
  const since = `${spanMs / 60_000}m`;
  const list = useAnswer(
    'list_sessions',
    { since, limit: 50, fields: LISTED_FIELDS },
    { every: REFRESH_MS, version },
  );
  const usage = useAnswer('usage', { by: 'session', since, limit: 200 }, { every: REFRESH_MS, version });
  const written = useEdits(spanMs, version);
  const cards = list.answer && cardsOf(list.answer.data);
  const wanted = (cards ?? []).map((card) => ({
    key: card.id,
    version: `${card.total_tokens} ${card.duration_seconds} ${card.turn_count}`,
    input: { session_id: card.id },
  }));
  const timelines = useEach('session_timeline', wanted);
  const analyses = useEach('analyze_session', wanted);
  const subagents = useEach('session_subagents', wanted);
  const files = useEach(
    'session_files',
    wanted.map((one) => ({ ...one, input: { ...one.input, limit: FILES_EACH } })),
  );
  const parents = useMemo(
    () =>
      new Map([...subagents].flatMap(([id, data]) => data.subagents.map((agent) => [agent.id, id] as const))),
    [subagents],
  );
  const edits = useMemo(
    () => written.map((edit) => ({ ...edit, session: parents.get(edit.session) ?? edit.session })),
    [written, parents],
  );
  const clashes = useMemo(() => clashesOf(edits), [edits]);
  const costs = useMemo(() => costsOf(usage.answer?.data.usage ?? [], parents), [usage.answer, parents]);
  if (cards === undefined) return { agents: undefined, edits, clashes };
  const colours = coloursOf(cards.map(({ id }) => id));
  const agents = cards.map((card): Agent => {
    const timeline = timelines.get(card.id);
    const at = (timeline?.calls.event.length ?? 0) - 1;
    const name = timeline?.names[timeline.calls.name[at] ?? -1];
    const time = timeline?.calls.time[at] ?? 0;
    const isPending = timeline?.calls.status[at] === PENDING;
    const lastMs = lastMsOf(card);
    return {
      card,
      lastMs,
      running: second.value - lastMs < RUNNING_MS || isPending,
      colour: colours.get(card.id) ?? 'var(--c8)',
      timeline,
      pending: name !== undefined && isPending ? { name, since: time } : undefined,
      lastCall: name === undefined ? undefined : { name, at: time },
      files: files.get(card.id)?.files ?? [],
      loops: timeline ? loopsOf(card.id, analyses.get(card.id)?.insights ?? [], timeline) : [],
      cost: costs(card.id),
    };
  });
  // By start time, so that rows do not change places while you watch.
  agents.sort(
    (a, b) => Number(b.running) - Number(a.running) || (a.card.start_time < b.card.start_time ? -1 : 1),
  );
  return { agents, edits, clashes };
}

/** The cost of each session including its subagents; `usage` names sessions by their full ids. */
function costsOf(
  rows: readonly { readonly group: string; readonly cost_usd?: number | undefined }[],
  parents: ReadonlyMap<string, string>,
): (id: string) => number | undefined {
  return (id) => {
    const own = [id, ...[...parents].filter(([, parent]) => parent === id).map(([child]) => child)];
    const known = rows.filter(
      ({ group, cost_usd }) => cost_usd !== undefined && own.some((one) => group.startsWith(one)),
    );
    return known.length === 0 ? undefined : known.reduce((sum, { cost_usd = 0 }) => sum + cost_usd, 0);
  };
}
