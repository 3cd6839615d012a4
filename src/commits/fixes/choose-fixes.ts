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

/** This many of the failures that are most alike are looked at. */
const MAX_CANDIDATES = 6;
/** Comments that only silence a check. */
const SILENCES =
  /nolint|eslint-disable|biome-ignore|@ts-(?:ignore|expect-error)|type: ignore|noqa|#\[allow\(/;

/**
 * The earlier failures to show, one of a session, the best first. A fix comes before one that only silences the check. Of
 * failures that are only of the same class, one is an example; more of them would be noise.
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
