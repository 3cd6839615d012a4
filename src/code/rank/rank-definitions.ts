import { float64At } from '../../contract/at.ts';
import type { ReadDefinition } from '../reader/read-tokens.ts';
import type { DefinitionWeights } from './definition-weights.ts';
import {
  type RankedPlace,
  type ScoredPlace,
  scoreDefinitions,
  type UnitFile,
  type UnitQuestion,
} from './score-definitions.ts';

/** Definitions that the reader reads. */
const READ_DEFINITIONS = 24;
/** What the whole range of file scores is worth in terms of definition scores, where files keep their order. */
const FILE_SPAN = 10;

/**
 * The definitions of some files, best first. A short question names a topic, whose files are ranked well: they keep
 * their order, and each file's best definition has the rank of its file. A long one describes a function: there the
 * definition counts more than the file.
 */
export function rankDefinitions(
  question: UnitQuestion,
  files: readonly UnitFile[],
  weights: DefinitionWeights,
): RankedPlace[] {
  const places = scoreDefinitions(question, files, weights);
  const ranked = question.isDescription ? places : inFileOrder(places, files);
  ranked.sort(byScore);
  return question.isDescription ? readAgain(question, files, ranked) : ranked;
}

function byScore(a: RankedPlace, b: RankedPlace): number {
  return b.score - a.score || a.file - b.file;
}

/** The first definitions in the order of the reader; what follows them stays where it is. */
function readAgain(
  { reader, tokens }: UnitQuestion,
  files: readonly UnitFile[],
  ranked: readonly ScoredPlace[],
): RankedPlace[] {
  const first = firstToRead(ranked, files);
  if (reader === undefined || tokens === undefined || first.length < 2) return [...ranked];
  const scores = reader.scores(
    tokens,
    first.map(({ definition }) => definition),
  );
  const read = first
    .map(({ place: { file, unit } }, at) => ({ file, unit, score: float64At(scores, at) }))
    .sort(byScore);
  const known = new Set(first.map(({ place }) => place));
  const others = ranked.filter((place) => !known.has(place));
  const [last = 0, next = 0] = [read.at(-1)?.score, others[0]?.score];
  return [...read, ...others.map(({ file, unit, score }) => ({ file, unit, score: last + score - next }))];
}

/** A definition that is read, and the place that it stands for. */
interface PlaceToRead {
  readonly place: RankedPlace;
  readonly definition: ReadDefinition;
}

function firstToRead(
  ranked: readonly ScoredPlace[],
  files: readonly UnitFile[],
  most = READ_DEFINITIONS,
): PlaceToRead[] {
  return ranked
    .flatMap((place): PlaceToRead[] => {
      const { file, unit, facts, named = 0 } = place;
      const own = unit === undefined ? undefined : files[file]?.table?.tokens?.[unit];
      return own === undefined || facts === undefined
        ? []
        : [{ place, definition: { ...own, facts, named } }];
    })
    .slice(0, most);
}

/** All definitions as the reader gets them, best first: what it is trained on. */
export function definitionsToRead(
  question: UnitQuestion,
  files: readonly UnitFile[],
  weights: DefinitionWeights,
): PlaceToRead[] {
  return firstToRead(
    scoreDefinitions(question, files, weights).sort(byScore),
    files,
    Number.POSITIVE_INFINITY,
  );
}

function inFileOrder(places: readonly RankedPlace[], files: readonly UnitFile[]): ScoredPlace[] {
  const best = new Map<number, number>();
  for (const { file, score } of places) best.set(file, Math.max(best.get(file) ?? score, score));
  return places.map(({ file, unit, score }) => ({
    file,
    unit,
    score: FILE_SPAN * (files[file]?.score ?? 0) + score - (best.get(file) ?? score),
  }));
}
