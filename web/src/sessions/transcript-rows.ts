import type { TimelineData, TurnCard } from './types.ts';

/** A row of the transcript: the head of a turn, or one of its steps. */
export interface TranscriptRow {
  readonly turn: TurnCard;
  /** -1 for the head. */
  readonly step: number;
}

export const SHOWS = [
  ['all', 'Everything'],
  ['prompts', 'Prompts'],
  ['failures', 'Failures'],
  ['edits', 'Edits'],
] as const;
export type Show = (typeof SHOWS)[number][0];

const EDIT_KINDS = new Set(['edit', 'write', 'delete']);
const FAILED = 1;

/** The rows of a transcript: all of them, or prompts with only the steps that failed or changed files. */
export function transcriptRows(
  turns: readonly TurnCard[],
  show: Show,
  timeline: TimelineData | undefined,
): readonly TranscriptRow[] {
  const steps = show === 'all' || show === 'prompts' ? undefined : stepsWith(show, timeline);
  return turns.flatMap((turn): TranscriptRow[] => {
    const head = { turn, step: -1 };
    if (show === 'prompts') return [head];
    const own = Array.from({ length: turn.step_count }, (_, step) => ({ turn, step }));
    if (steps === undefined) return [head, ...own];
    const wanted = own.filter(({ step }) => steps.has(`${turn.turn_index}.${step}`));
    return wanted.length === 0 ? [] : [head, ...wanted];
  });
}

/** The steps that have a failed call or an edit, as `turn.step`. */
function stepsWith(show: 'failures' | 'edits', timeline: TimelineData | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  if (timeline === undefined) return found;
  const { calls, kinds } = timeline;
  for (const [i, turn] of calls.turn.entries()) {
    const wanted =
      show === 'failures' ? calls.status[i] === FAILED : EDIT_KINDS.has(kinds[calls.kind[i] ?? -1] ?? '');
    if (wanted) found.add(`${turn}.${calls.step[i]}`);
  }
  return found;
}

/** The next failed call after an event, or the first one. */
export function nextFailure(
  { calls }: TimelineData,
  after: number,
): { readonly turn: number; readonly step: number; readonly event: number } | undefined {
  const failed = calls.event.flatMap((event, i) =>
    calls.status[i] === FAILED ? [{ event, turn: calls.turn[i] ?? 0, step: calls.step[i] ?? 0 }] : [],
  );
  return failed.find(({ event }) => event > after) ?? failed[0];
}
