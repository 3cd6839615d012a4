import type { DataOf } from '../data/operations.ts';

export type Match = DataOf<'search_event_previews'>['matches'][number];

/** The matches in one session, best lines first. */
export interface MatchGroup {
  readonly session: string;
  readonly best: readonly Match[];
  readonly count: number;
  /** True if a prompt matches: then the session is about it. */
  readonly prompted: boolean;
}

const BEST_LINES = 2;

/** What people said reveals more about a session than what the agent said, and that more than tool output. */
const WEIGHTS: Readonly<Record<string, number>> = { user: 3, message: 2, reasoning: 1, tool_call: 1 };

/** Matches by session: those with a matching prompt first, then the newest; or in their order if `ranked`. */
export function groupMatches(
  prompts: readonly Match[],
  matches: readonly Match[],
  ranked = false,
): readonly MatchGroup[] {
  const groups = new Map<string, Match[]>();
  const seen = new Set<string>();
  for (const match of [...prompts, ...matches]) {
    const key = `${match.session_id} ${match.event_index}`;
    if (seen.has(key)) continue;
    seen.add(key);
    groups.set(match.session_id, [...(groups.get(match.session_id) ?? []), match]);
  }
  const found = [...groups].map(([session, own]) => ({
    session,
    best: ranked ? own.slice(0, BEST_LINES) : bestOf(own),
    count: own.length,
    prompted: own.some(({ event_type }) => event_type === 'user'),
  }));
  if (ranked) return found;
  return found.sort(
    (a, b) =>
      Number(b.prompted) - Number(a.prompted) ||
      (b.best[0]?.timestamp ?? '').localeCompare(a.best[0]?.timestamp ?? ''),
  );
}

/** The best lines, without duplicates. */
function bestOf(matches: readonly Match[]): readonly Match[] {
  const different = [...new Map(matches.map((match) => [match.preview, match])).values()];
  return different
    .sort((a, b) => (WEIGHTS[b.event_type] ?? 0) - (WEIGHTS[a.event_type] ?? 0))
    .slice(0, BEST_LINES);
}
