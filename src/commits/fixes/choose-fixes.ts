import type { Sessions } from '../../sessions/sessions.ts';
import type { FixedFailure } from '../../sessions/store/fixed-failures.ts';
import { fixingEdits, type RelatedEdit } from './fixing-edits.ts';
import { type AskedError, type Likeness, rankFixes } from './rank-fixes.ts';

/** An earlier failure with the edits that made it go away. */
export interface ChosenFix {
  readonly failure: FixedFailure;
  readonly likeness: Likeness;
  readonly edits: readonly RelatedEdit[];
}

/** How many of the most similar failures are examined. */
const MAX_CANDIDATES = 6;
/** Comments that only silence a check. */
const SILENCES =
  /nolint|eslint-disable|biome-ignore|@ts-(?:ignore|expect-error)|type: ignore|noqa|#\[allow\(/;

/**
 * The earlier failures to show, at most one per session, the best first. A real fix comes before one that only silences
 * the check. If failures only share the class, one serves as an example; more would be noise.
 */
export async function chooseFixes(
  asked: AskedError,
  failures: readonly FixedFailure[],
  sessions: Pick<Sessions, 'failures' | 'files'>,
): Promise<readonly ChosenFix[]> {
  const ranked = rankFixes(asked, failures);
  const same = ranked.filter(({ likeness }) => likeness === 'same');
  const candidates: ChosenFix[] = [];
  for (const { failure, likeness } of same.length > 0 ? firstOfSessions(same) : ranked.slice(0, 1))
    candidates.push({ failure, likeness, edits: await fixingEdits(failure, sessions) });
  const silenced = (fix: ChosenFix) => Number(isSilenced(fix));
  return candidates.sort((a, b) => silenced(a) - silenced(b));
}

function isSilenced({ edits: [first] }: ChosenFix): boolean {
  return (first?.diff ?? '').split('\n').some((line) => line.startsWith('+') && SILENCES.test(line));
}

function firstOfSessions<Fix extends { readonly failure: FixedFailure }>(ranked: readonly Fix[]): Fix[] {
  const bySession = new Map<string, Fix>();
  for (const fix of ranked)
    if (!bySession.has(fix.failure.session.id)) bySession.set(fix.failure.session.id, fix);
  return [...bySession.values()].slice(0, MAX_CANDIDATES);
}
