import { float32At, uint32At } from '../../contract/at.ts';
import { similarity, type Vectors } from '../embed/vectors.ts';
import { definers, type IndexPart, partOfFile, type SearchIndex } from '../semantic/search-index.ts';
import type { WordScores } from '../words/score-words.ts';
import { fileNames, nameMatch } from './file-names.ts';
import { forOtherSystem, ROLE } from './file-roles.ts';
import { createReportMeasure } from './measure-report.ts';
import type { Query } from './read-query.ts';
import { NO_REPORT, type SignalValues } from './signal-weights.ts';

/** The evidence by which files are judged for one question. */
export interface Evidence {
  readonly index: SearchIndex;
  readonly query: Query;
  readonly vector: Float32Array | undefined;
  readonly words: WordScores;
  /** The score of every chunk by words that code has for what the question says, and the vector of these words. */
  readonly alike?: Float32Array | undefined;
  readonly alikeVector?: Float32Array | undefined;
  /** Of the title of a report. */
  readonly titleVector?: Float32Array | undefined;
  /** Which files may be answers. */
  readonly accept: (file: number) => boolean;
}

/** The measurements of one chunk, before scaling. */
export interface ChunkEvidence {
  readonly chunk: number;
  readonly semantic: number;
  readonly words: number;
  /** The same by the words that code has for what the question says. */
  readonly semanticAlike: number;
  readonly alike: number;
  readonly defines: boolean;
}

/** A file with its measured signals. */
export interface Measured {
  readonly file: number;
  readonly chunks: readonly ChunkEvidence[];
  readonly signals: SignalValues;
}

/** A file with thousands of chunks is data; its first chunks are enough. */
const MAX_CHUNKS = 400;
/** Counts more if the file is named after the thing it defines. */
const DEFINED_AT_HOME = 1.5;

/** Returns the function that measures one file. */
export function createMeasure(evidence: Evidence): (file: number) => Measured {
  const { index, query, words } = evidence;
  const rarity = (word: string): number => words.idf.get(word) ?? 0;
  const total = [...query.words].reduce((sum, word) => sum + rarity(word), 0) || 1;
  const defining = new Map<number, Set<string>>();
  const definingChunks = new Set<number>();
  for (const name of query.identifiers) {
    for (const chunk of definers(index, name)) {
      const file = uint32At(index.fileOf, chunk);
      definingChunks.add(chunk);
      defining.set(file, (defining.get(file) ?? new Set()).add(name));
    }
  }
  const startingWith = new Set(
    (query.first === undefined ? [] : definers(index, query.first)).map((chunk) =>
      uint32At(index.fileOf, chunk),
    ),
  );
  const { report } = query;
  const ofReport =
    report === undefined
      ? undefined
      : createReportMeasure(index, report, evidence.titleVector, evidence.accept);
  const askedIn = new Map(index.parts.map((part) => [part, askedTerms(part, query, rarity)]));
  /** The share of the question's weight that these terms carry; each term occurs once. */
  const share = (terms: readonly string[]): number => {
    let sum = 0;
    for (const term of terms) if (query.words.has(term)) sum += rarity(term);
    return sum / total;
  };

  return (file) => {
    const { path, roles, lines } = index.files.at(file);
    const part = partOfFile(index, file);
    const names = fileNames(index, file);
    const chunks = chunkEvidence(evidence, file, part, definingChunks);
    const from = uint32At(index.firstChunkOf, file);
    const similarities = chunks.map(({ semantic }) => semantic).sort(descending);
    const scores = chunks.map((one) => one.words).sort(descending);
    const alike = chunks.map((one) => one.alike).sort(descending);
    const has = (role: number): number => ((roles & role) === 0 ? 0 : 1);
    const defined = defining.get(file);
    const defines = defined === undefined ? 0 : defined.has(names.whole) ? DEFINED_AT_HOME : 1;
    return {
      file,
      chunks,
      signals: {
        semantic: similarities[0] ?? 0,
        semanticTop3: topMean(similarities),
        semanticFile: fileSimilarity(evidence, part.segment.fileVectors, file - part.firstFile),
        semanticPath: fileSimilarity(evidence, part.segment.pathVectors, file - part.firstFile),
        // Only the best candidates are compared by it.
        semanticSymbol: 0,
        semanticAlike: chunks.reduce((best, one) => Math.max(best, one.semanticAlike), 0),
        words: scores[0] ?? 0,
        wordsTop3: topSum(scores),
        alike: alike[0] ?? 0,
        alikeTop3: topSum(alike),
        wordsHead: chunks[0]?.words ?? 0,
        stem: nameMatch(names.stem, query.words, share),
        folder: share(names.folder),
        defines,
        definesAsked: query.kind === 'symbol' ? defines : 0,
        definesPart: definesPart(part, file, askedIn.get(part), total),
        definesFirst: startingWith.has(file)
          ? (names.whole === query.first ? DEFINED_AT_HOME : 1) / Math.sqrt(startingWith.size)
          : 0,
        test: has(ROLE.test),
        aside: has(ROLE.aside),
        generated: has(ROLE.generated),
        prose: has(ROLE.prose | ROLE.config),
        size: Math.log2(1 + lines) / 10,
        references: Math.log2(1 + names.mentions) / 10,
        depth: Math.min(1, path.split('/').length / 10),
        otherSystem: forOtherSystem(path, query.words) ? 1 : 0,
        ...(ofReport?.(file, from, from + chunks.length) ?? NO_REPORT),
      },
    };
  };
}

const descending = (a: number, b: number): number => b - a;

/** The best three, each worth half of the one before. */
function topSum(sorted: readonly number[]): number {
  return (sorted[0] ?? 0) + 0.5 * (sorted[1] ?? 0) + 0.25 * (sorted[2] ?? 0);
}

/** Mean of the best three; missing ones count as the last one. */
function topMean(sorted: readonly number[]): number {
  const [first = 0, second = first, third = second] = sorted;
  return (first + second + third) / 3;
}

function chunkEvidence(
  { index, words, vector, alike, alikeVector }: Evidence,
  file: number,
  part: IndexPart,
  defining: ReadonlySet<number>,
): ChunkEvidence[] {
  const from = uint32At(index.firstChunkOf, file);
  const to = Math.min(uint32At(index.firstChunkOf, file + 1), from + MAX_CHUNKS);
  const found: ChunkEvidence[] = [];
  for (let chunk = from; chunk < to; chunk++) {
    const similar = (asked: Float32Array | undefined): number =>
      asked === undefined ? 0 : similarity(part.segment.chunkVectors, chunk - part.firstChunk, asked);
    found.push({
      chunk,
      semantic: similar(vector),
      words: float32At(words.chunk, chunk),
      semanticAlike: similar(alikeVector),
      alike: alike === undefined ? 0 : float32At(alike, chunk),
      defines: defining.has(chunk),
    });
  }
  return found;
}

function fileSimilarity({ vector }: Evidence, vectors: Vectors, row: number): number {
  // Models behind an endpoint make no vectors of paths.
  return vector === undefined || vectors.count === 0 ? 0 : similarity(vectors, row, vector);
}

/** The rarity of the question's words by their term ids in a part. */
function askedTerms(
  { reader }: IndexPart,
  query: Query,
  rarity: (word: string) => number,
): ReadonlyMap<number, number> {
  const asked = new Map<number, number>();
  for (const word of query.words) {
    const term = reader.find(word);
    if (term !== undefined) asked.set(term.id, rarity(word));
  }
  return asked;
}

/** The match of the best partly matching name that the file declares. */
function definesPart(
  { segment, firstFile }: IndexPart,
  file: number,
  asked: ReadonlyMap<number, number> | undefined,
  total: number,
): number {
  if (asked === undefined || asked.size === 0) return 0;
  const [chunkFrom, chunkTo] = segment.files.chunks(file - firstFile);
  const firstRun = segment.definedAt.at(chunkFrom);
  const runAt = segment.runAt.read(firstRun, segment.definedAt.at(chunkTo) + 1);
  const firstTerm = uint32At(runAt, 0);
  const runTerms = segment.runTerms.read(firstTerm, uint32At(runAt, runAt.length - 1));
  let best = 0;
  for (let run = 0; run + 1 < runAt.length; run++) {
    const from = uint32At(runAt, run) - firstTerm;
    const to = uint32At(runAt, run + 1) - firstTerm;
    let weight = 0;
    let matched = 0;
    for (let place = from; place < to; place++) {
      const value = asked.get(uint32At(runTerms, place));
      if (value === undefined) continue;
      weight += value;
      matched++;
    }
    if (matched > 0) best = Math.max(best, (weight / total) * (matched / (to - from)));
  }
  return Math.min(1, best);
}
