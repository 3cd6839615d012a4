import { alternativesOf } from '../../regex/alternatives.ts';
import { smartCase } from '../../regex/smart-case.ts';
import type { HitRow } from './hit-rows.ts';
import type { OneSearchInput } from './regex-input.ts';
import { answerOne, prepareOne, type SearchContext } from './regex-one.ts';
import { answerSeveral, bytesOfHit } from './regex-several.ts';

/** More alternatives than this are searched for together: each is a search of its own. */
const MAX_ALTERNATIVES = 8;

/**
 * The answer to one search. If a model asks for `foo|e` and not all hits fit, each alternative gets its share of the
 * answer under a heading with its total, so that a frequent one does not crowd out a rare one.
 */
export async function answerOneOrItsAlternatives(input: OneSearchInput, context: SearchContext) {
  const prepared = await prepareOne(input, context);
  const alternatives = apart(input, context);
  if (alternatives.length < 2) return answerOne(prepared, context);
  const rows = prepared.hits();
  const first = await upTo(context.budget, rows);
  if (first.more === undefined) return answerOne({ ...prepared, hits: () => all(first.rows) }, context);
  // Not awaited: a search ends after the files that it is looking at.
  rows.return(undefined).catch(() => {});
  return answerSeveral(alternatives, context);
}

/** A search for each alternative of a pattern; case is that of the whole pattern. */
function apart(
  input: OneSearchInput,
  { caller: { door, format, explain } }: SearchContext,
): readonly OneSearchInput[] {
  const { pattern, output = 'hits', fixed, multiline } = input;
  // Programs count on the form of the answer.
  if (door !== 'mcp' || format !== 'text' || explain || output !== 'hits' || fixed || multiline) return [];
  const patterns = alternativesOf(pattern);
  if (patterns.length > MAX_ALTERNATIVES) return [];
  const insensitive = input.case === 'smart' ? smartCase(pattern, false) : input.case === 'insensitive';
  return patterns.map((one) => ({
    ...input,
    pattern: one,
    case: insensitive ? ('insensitive' as const) : ('sensitive' as const),
  }));
}

/** The rows that fit into so many bytes, and the first that does not. */
async function upTo(
  budget: number,
  rows: AsyncIterator<HitRow>,
): Promise<{ readonly rows: readonly HitRow[]; readonly more?: HitRow }> {
  const fitting: HitRow[] = [];
  let left = budget;
  for (let step = await rows.next(); !step.done; step = await rows.next()) {
    left -= bytesOfHit(step.value);
    if (left < 0) return { rows: fitting, more: step.value };
    fitting.push(step.value);
  }
  return { rows: fitting };
}

async function* all(rows: readonly HitRow[]): AsyncGenerator<HitRow> {
  yield* rows;
}
