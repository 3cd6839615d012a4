import type { Insight, TimelineData } from '../sessions/types.ts';

/** A change to a file; `session` is the session that people see, even if one of its subagents made the change. */
export interface Edit {
  readonly session: string;
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly path: string;
  readonly at: number;
  readonly added: number;
  readonly removed: number;
}

/** A file that several sessions changed. */
export interface Clash {
  readonly path: string;
  /** The last edit of each session, newest first. */
  readonly edits: readonly Edit[];
}

/** An agent that does the same thing over and over in its current turn. */
export interface Loop {
  readonly session: string;
  readonly turn: number;
  readonly step: number | undefined;
  readonly event: number | undefined;
  readonly at: number;
  readonly message: string;
}

/** Files that more than one session changed, the latest first. */
export function clashesOf(edits: readonly Edit[]): readonly Clash[] {
  const byPath = new Map<string, Map<string, Edit>>();
  for (const edit of edits) {
    const bySession = byPath.get(edit.path) ?? new Map<string, Edit>();
    byPath.set(edit.path, bySession);
    const before = bySession.get(edit.session);
    if (before === undefined || before.at <= edit.at) bySession.set(edit.session, edit);
  }
  return [...byPath]
    .filter(([, bySession]) => bySession.size > 1)
    .map(([path, bySession]) => ({ path, edits: [...bySession.values()].sort((a, b) => b.at - a.at) }))
    .sort((a, b) => (b.edits[0]?.at ?? 0) - (a.edits[0]?.at ?? 0));
}

/** Loops of the last turn; those of earlier turns are over. */
export function loopsOf(
  session: string,
  insights: readonly Insight[],
  { calls }: Pick<TimelineData, 'calls'>,
): readonly Loop[] {
  const last = calls.turn.at(-1);
  return insights
    .filter(
      ({ lens, severity, turn_index }) => lens === 'loops' && severity !== 'info' && turn_index === last,
    )
    .map((insight) => ({
      session,
      turn: insight.turn_index,
      step: insight.step_index,
      event: insight.event_index,
      at: calls.time[calls.event.indexOf(insight.event_index ?? -1)] ?? calls.time.at(-1) ?? 0,
      message: insight.message,
    }));
}
