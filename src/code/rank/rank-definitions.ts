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

/** Places that only definitions have once they are read. */
const FIRST_READ = 24;
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

/** All definitions in the order of the reader; other places keep their rank. */
function readAgain(
  { reader, tokens }: UnitQuestion,
  files: readonly UnitFile[],
  ranked: readonly ScoredPlace[],
): RankedPlace[] {
  const toRead = placesToRead(ranked, files);
  if (reader === undefined || tokens === undefined || toRead.length < 2) return [...ranked];
  const scores = reader.scores(
    tokens,
    toRead.map(({ definition }) => definition),
  );
  const read = toRead.map(({ place: { file, unit } }, at) => ({ file, unit, score: float64At(scores, at) }));
  const known = new Set(toRead.map(({ place }) => place));
  const others = ranked.filter((place) => !known.has(place));
  return mergedByRank(read.sort(byScore), others, ranked);
}

/** A definition that is read, and the place that it stands for. */
interface PlaceToRead {
  readonly place: RankedPlace;
  readonly definition: ReadDefinition;
}

/** Definitions as the reader gets them: what it is trained on. */
export function definitionsToRead(
  question: UnitQuestion,
  files: readonly UnitFile[],
  weights: DefinitionWeights,
): PlaceToRead[] {
  return placesToRead(scoreDefinitions(question, files, weights).sort(byScore), files);
}

function placesToRead(ranked: readonly ScoredPlace[], files: readonly UnitFile[]): PlaceToRead[] {
  return ranked.flatMap((place): PlaceToRead[] => {
    const { file, unit, facts, named = 0 } = place;
    const own = unit === undefined ? undefined : files[file]?.table?.tokens?.[unit];
    return own === undefined || facts === undefined ? [] : [{ place, definition: { ...own, facts, named } }];
  });
}

/** What is not read keeps its rank, but does not come before what is surely read. */
function mergedByRank(
  read: readonly RankedPlace[],
  others: readonly RankedPlace[],
  ranked: readonly RankedPlace[],
): RankedPlace[] {
  const merged = [...read];
  for (const place of others) {
    const rank = Math.min(merged.length, Math.max(FIRST_READ, ranked.indexOf(place)));
    merged.splice(rank, 0, { ...place, score: merged[rank - 1]?.score ?? 0 });
  }
  return merged;
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
