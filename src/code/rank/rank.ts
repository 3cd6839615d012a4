import { at, float32At, uint32At } from '../../contract/at.ts';
import { type Near, nearest } from '../embed/nearest-vectors.ts';
import { definers, type SearchIndex } from '../semantic/search-index.ts';
import { scoreWords, type WeightedTerm, type WordScores } from '../words/score-words.ts';
import { type FoundFrame, findFrames } from './find-frames.ts';
import { createMeasure, type Evidence } from './measure-signals.ts';
import { type Candidate, normalize } from './normalize-signals.ts';
import type { Frame } from './read-frames.ts';
import type { Query } from './read-query.ts';
import {
  COLLECTION_WEIGHTS,
  DESCRIPTION_WEIGHTS,
  type RankMode,
  REPORT_WEIGHTS,
  SIGNALS,
  type Signal,
  WEIGHTS,
} from './signal-weights.ts';
import { type EmbedPhrase, withSymbolMeaning } from './symbol-meaning.ts';
import { WORD_WEIGHTS } from './word-weights.ts';

/** An answer: a chunk, its score between 0 and 1, and what the score is made of. */
export interface Ranked {
  readonly file: number;
  readonly chunk: number;
  readonly score: number;
  /** The worth of the chunk by its own text; only compared with that of other chunks. */
  readonly worth: number;
  /** What each signal added to the score; computed on demand, since few callers ask. */
  readonly parts: () => Parts;
  /** The call of a stack trace that it is the place of. */
  readonly frame?: Frame | undefined;
}

type Parts = Readonly<Partial<Record<Signal, number>>>;

export interface RankOptions {
  readonly mode: RankMode;
  /** The vector of the question; without it only words count. */
  readonly vector?: Float32Array | undefined;
  /** What code says for the question, from the thesaurus, and the vector of that. */
  readonly alike?: readonly WeightedTerm[] | undefined;
  readonly alikeVector?: Float32Array | undefined;
  /** The vector of a report's title. */
  readonly titleVector?: Float32Array | undefined;
  /** Embeds names of symbols, if the model does that at no cost; only where words do not count. */
  readonly embed?: EmbedPhrase | undefined;
  /** Which files may be answers. */
  readonly accept?: ((file: number) => boolean) | undefined;
  /** Whether the answers may be in several repositories. */
  readonly collection?: boolean | undefined;
}

/** How many chunks each kind of evidence may add; their files are judged by all evidence. */
const MAX_CHUNKS_BY_WORDS = 300;
const MAX_CHUNKS_BY_ALIKE = 50;
const MAX_CHUNKS_BY_VECTOR = 200;
const MAX_DEFINERS = 100;
/** The first answers come from different files; more chunks of one file come later. */
const DISTINCT_FILES = 10;
const MAX_CHUNKS_PER_FILE = 4;
const LATER_CHUNK_FACTOR = 0.8;
const MAX_CHUNKS_OF_REPORT = 6;
/** Calls of a trace that come first, and the difference between their scores. */
const MAX_FRAMES_FIRST = 6;
const FRAME_STEP = 0.02;
/** What being the place of a call is worth to a chunk; its words and its meaning are worth up to 1 each. */
const FRAME_WORTH = 2;
/** Few questions have them; with them a score may exceed what others can reach, and is cut at 1. */
const EXCEPTIONAL: ReadonlySet<Signal> = new Set(['definesAsked', 'definesFirst']);
/** The signals of the thesaurus. */
const ALIKE: readonly Signal[] = ['semanticAlike', 'alike', 'alikeTop3'];
/** How much the difference between two chunks of a file counts, compared with the signals of files. */
const CHUNK_WEIGHT = 2;

/** Ranks the chunks of an index for a question. */
export function rank(index: SearchIndex, query: Query, options: RankOptions): Ranked[] {
  const weights = weightsFor(options, query)[options.mode];
  const usesAlike = ALIKE.some((signal) => weights[signal] !== undefined);
  const frames = framesOf(index, query, options);
  const candidates = gather(index, query, usesAlike ? options : withoutAlike(options), frames);
  const possible = SIGNALS.reduce(
    (sum, signal) => sum + (EXCEPTIONAL.has(signal) ? 0 : Math.max(0, weights[signal] ?? 0)),
    0,
  );
  const scored = candidates
    .map((candidate): Scored => ({ candidate, score: weigh(candidate, weights, possible) }))
    .sort((a, b) => b.score - a.score || a.candidate.file - b.candidate.file);
  const partsOf = (candidate: Candidate) => weighedParts(candidate, weights, possible);
  if (query.report !== undefined) {
    const ranked = chunksOfReport(scored, possible, partsOf, frames);
    return query.report.isTrace ? framesFirst(ranked, frames) : ranked;
  }
  const first: Ranked[] = [];
  const later: Ranked[] = [];
  for (const { candidate, score } of scored) {
    const best = candidate.chunks[0];
    if (best === undefined) continue;
    const { file } = candidate;
    const shown = Math.min(1, Math.max(0, score));
    const parts = () => partsOf(candidate);
    (first.length < DISTINCT_FILES ? first : later).push({
      file,
      chunk: best.chunk,
      score: shown,
      worth: best.worth,
      parts,
    });
    for (const [place, { chunk, worth }] of candidate.chunks.slice(1, MAX_CHUNKS_PER_FILE).entries()) {
      const share = best.worth > 0 ? Math.max(0, worth / best.worth) : 0;
      later.push({ file, chunk, score: shown * share * LATER_CHUNK_FACTOR ** (place + 1), worth, parts });
    }
  }
  return [...first, ...later.sort((a, b) => b.score - a.score)];
}

function withoutAlike(options: RankOptions): RankOptions {
  return { ...options, alike: undefined, alikeVector: undefined };
}

function weightsFor(
  { collection }: RankOptions,
  { report, isDescription }: Pick<Query, 'report' | 'isDescription'>,
): typeof WEIGHTS {
  if (report !== undefined) return REPORT_WEIGHTS;
  if (collection === true) return COLLECTION_WEIGHTS;
  return isDescription ? DESCRIPTION_WEIGHTS : WEIGHTS;
}

interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
}

/**
 * The fix for a report is often in several places of one file, so its best files have several of the first ten chunks.
 * Files stay in the order of their scores.
 */
function chunksOfReport(
  scored: readonly Scored[],
  possible: number,
  partsOf: (candidate: Candidate) => Parts,
  frames: readonly FoundFrame[],
): Ranked[] {
  const frameIn = new Map(frames.toReversed().map(({ chunk, frame }) => [chunk, frame]));
  return scored
    .flatMap(({ candidate, score }) => {
      const { file } = candidate;
      const parts = () => partsOf(candidate);
      const chunks = frames.some((one) => one.file === file)
        ? candidate.chunks
            .map(({ chunk, worth }) => ({ chunk, worth: worth + (frameIn.has(chunk) ? FRAME_WORTH : 0) }))
            .sort((a, b) => b.worth - a.worth)
        : candidate.chunks;
      return chunks.slice(0, MAX_CHUNKS_OF_REPORT).map(({ chunk, worth }) => {
        const behind = ((chunks[0]?.worth ?? 0) - worth) / possible;
        return { file, chunk, score: score - CHUNK_WEIGHT * behind, worth, parts, frame: frameIn.get(chunk) };
      });
    })
    .sort((a, b) => b.score - a.score)
    .map((one) => ({ ...one, score: Math.min(1, Math.max(0, one.score)) }));
}

/** The calls of a trace in their order, each with its function, then everything else. */
function framesFirst(ranked: readonly Ranked[], frames: readonly FoundFrame[]): Ranked[] {
  const first = frames.slice(0, MAX_FRAMES_FIRST).flatMap(({ file, chunk, frame }, at): Ranked[] => {
    const known = ranked.find((one) => one.file === file);
    return known === undefined ? [] : [{ ...known, chunk, frame, score: 1 - at * FRAME_STEP }];
  });
  const least = first.at(-1)?.score ?? 1;
  const shown = new Set(first.map(({ chunk }) => chunk));
  const others = ranked.filter(({ chunk }) => !shown.has(chunk));
  return [...first, ...others.map((one) => ({ ...one, score: Math.min(one.score, least) }))];
}

function framesOf(
  index: SearchIndex,
  { report }: Query,
  { accept = () => true }: RankOptions,
): readonly FoundFrame[] {
  if (report === undefined || report.frames.length === 0) return [];
  return findFrames(index, report.frames, (file) => index.fileLength[file] !== 0 && accept(file));
}

/** Finds the files that may be answers and measures their signals. */
export function gather(
  index: SearchIndex,
  query: Query,
  { vector, titleVector, alike = [], alikeVector, mode, embed, accept = () => true }: RankOptions,
  frames: readonly FoundFrame[] = [],
): Candidate[] {
  const words = scoreWords(index, query.terms, WORD_WEIGHTS);
  const alive = (file: number): boolean => index.fileLength[file] !== 0 && accept(file);
  const used = mode === 'words' ? undefined : vector;
  const byAlike =
    mode === 'semantic' || alike.length === 0 ? undefined : scoreWords(index, alike, WORD_WEIGHTS);
  const evidence: Evidence = {
    index,
    query,
    words,
    vector: used,
    alike: byAlike?.chunk,
    alikeVector: used && alikeVector,
    titleVector: used && titleVector,
    accept: alive,
  };
  const files = new Set<number>();
  const add = (chunk: number): void => {
    const file = uint32At(index.fileOf, chunk);
    if (alive(file)) files.add(file);
  };
  const addBest = ({ chunk, files: found }: WordScores, most: number): void =>
    topChunks(chunk, found.filter(alive), index, most).forEach(add);
  if (mode !== 'semantic') {
    addBest(words, MAX_CHUNKS_BY_WORDS);
    if (byAlike !== undefined) addBest(byAlike, MAX_CHUNKS_BY_ALIKE);
    for (const name of query.identifiers) definers(index, name).slice(0, MAX_DEFINERS).forEach(add);
  }
  for (const { chunk } of frames) add(chunk);
  if (used !== undefined)
    for (const { set, at: row } of nearestChunks(index, used, alive)) add(chunkAt(index, set, row));
  const candidates = normalize(evidence, [...files].map(createMeasure(evidence)));
  if (used === undefined || embed === undefined || mode !== 'semantic') return candidates;
  return withSymbolMeaning(index, candidates, used, embed);
}

function nearestChunks(index: SearchIndex, vector: Float32Array, alive: (file: number) => boolean): Near[] {
  return nearest(
    index.parts.map(({ segment }) => segment.chunkVectors),
    vector,
    MAX_CHUNKS_BY_VECTOR,
    (set, row) => alive(uint32At(index.fileOf, chunkAt(index, set, row))),
  );
}

/** The number of the chunk that a row of a part's vectors belongs to. */
function chunkAt(index: SearchIndex, part: number, row: number): number {
  return at(index.parts, part).firstChunk + row;
}

/** The chunks of these files with the highest scores. */
function topChunks(
  scores: Float32Array,
  files: readonly number[],
  index: SearchIndex,
  most: number,
): number[] {
  const chunks: number[] = [];
  for (const file of files) {
    for (
      let chunk = uint32At(index.firstChunkOf, file);
      chunk < uint32At(index.firstChunkOf, file + 1);
      chunk++
    ) {
      if (float32At(scores, chunk) > 0) chunks.push(chunk);
    }
  }
  if (chunks.length <= most) return chunks;
  const limit =
    Float32Array.from(chunks, (chunk) => float32At(scores, chunk)).sort()[chunks.length - most] ?? 0;
  // Where all texts are alike, equal scores would make the whole tree a candidate.
  const better = chunks.filter((chunk) => float32At(scores, chunk) > limit);
  const equal = chunks.filter((chunk) => float32At(scores, chunk) === limit);
  return [...better, ...equal.slice(0, most - better.length)];
}

function weigh(
  { signals }: Candidate,
  weights: Readonly<Partial<Record<Signal, number>>>,
  possible: number,
): number {
  let score = 0;
  for (const signal of SIGNALS) score += ((weights[signal] ?? 0) * signals[signal]) / possible;
  return score;
}

function weighedParts(
  { signals }: Candidate,
  weights: Readonly<Partial<Record<Signal, number>>>,
  possible: number,
): Parts {
  const parts: Partial<Record<Signal, number>> = {};
  for (const signal of SIGNALS) {
    const part = ((weights[signal] ?? 0) * signals[signal]) / possible;
    if (part !== 0) parts[signal] = part;
  }
  return parts;
}
