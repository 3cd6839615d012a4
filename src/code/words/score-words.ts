import { float32At, uint32At } from '../../contract/at.ts';
import type { PostingReader } from './posting-reader.ts';
import type { WordWeights } from './word-fields.ts';
import { PREFIX } from './word-index.ts';

/**
 * A part of the index as the word scorer sees it; the numbers of chunks and files continue those of the previous part.
 */
export interface WordPart {
  readonly reader: PostingReader;
  readonly firstChunk: number;
  readonly firstFile: number;
}

/** The corpus the words are scored in. */
export interface WordCorpus {
  readonly parts: readonly WordPart[];
  /** The file of each chunk. */
  readonly fileOf: Uint32Array;
  /** First chunk of each file, with one more at the end. */
  readonly firstChunkOf: Uint32Array;
  readonly chunkLength: Float32Array;
  /** Words per file; zero for one that is deleted or empty. */
  readonly fileLength: Float32Array;
  readonly meanChunkLength: number;
}

/** A term of the question and its weight. */
export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/** Scores by words. */
export interface WordScores {
  /** The score of every chunk; zero without any of the words. */
  readonly chunk: Float32Array;
  /** The files with any of the words, in text or path. */
  readonly files: readonly number[];
  /** How rare each term is over files. */
  readonly idf: ReadonlyMap<string, number>;
}

/** BM25 over chunks with weighted fields; the words of a path count for all chunks of its file. */
export function scoreWords(
  corpus: WordCorpus,
  terms: readonly WeightedTerm[],
  weights: WordWeights,
): WordScores {
  const { fileOf, firstChunkOf, fileLength, chunkLength, meanChunkLength } = corpus;
  const { k1, b } = weights;
  const scores = new Float32Array(fileOf.length);
  const counts = new Float32Array(fileOf.length);
  const inPath = new Float32Array(fileLength.length);
  const idf = new Map<string, number>();
  const files = new Set<number>();
  for (const { term, weight } of terms) {
    const chunks = countInChunks(corpus, term, weights, counts);
    const hits = new Set(countInPaths(corpus, term, weights, inPath));
    for (const chunk of chunks) hits.add(uint32At(fileOf, chunk));
    idf.set(term, rarity(fileLength.length, hits.size));
    const worth = weight * rarity(fileOf.length, chunks.length);
    for (const file of hits) {
      files.add(file);
      const path = float32At(inPath, file);
      for (let chunk = uint32At(firstChunkOf, file); chunk < uint32At(firstChunkOf, file + 1); chunk++) {
        const own = float32At(counts, chunk);
        if (own + path === 0) continue;
        const length = 1 - b + (b * float32At(chunkLength, chunk)) / meanChunkLength;
        scores[chunk] = float32At(scores, chunk) + worth * saturated(own + path, k1 * length);
        counts[chunk] = 0;
      }
      inPath[file] = 0;
    }
  }
  return { chunk: scores, files: [...files], idf };
}

/** The worth of a count: repeats help less and less, and long texts need more of them. */
function saturated(count: number, slowness: number): number {
  return count / (count + slowness);
}

/** How much a term that occurs in `hits` of `all` says. */
export function rarity(all: number, hits: number): number {
  return Math.log(1 + (all - hits + 0.5) / (hits + 0.5));
}

/** Weighted counts of a term in every chunk; returns the chunks. */
function countInChunks(
  corpus: WordCorpus,
  term: string,
  weights: WordWeights,
  counts: Float32Array,
): number[] {
  const hits: number[] = [];
  for (const { reader, firstChunk } of corpus.parts) {
    const found = reader.find(term);
    if (found === undefined) continue;
    reader.each(found, weights, (owner, count) => {
      const chunk = firstChunk + owner;
      if (count === 0 || corpus.fileLength[uint32At(corpus.fileOf, chunk)] === 0) return;
      hits.push(chunk);
      counts[chunk] = count;
    });
  }
  return hits;
}

/** Weighted counts of a term in paths; returns the files. */
function countInPaths(
  corpus: WordCorpus,
  term: string,
  weights: WordWeights,
  counts: Float32Array,
): number[] {
  const hits: number[] = [];
  for (const { reader, firstFile } of corpus.parts) {
    for (const [prefix, weight] of [
      [PREFIX.stem, weights.stem],
      [PREFIX.folder, weights.folder],
    ] as const) {
      const found = reader.find(prefix + term);
      if (found === undefined) continue;
      reader.each(found, { ...weights, body: weight }, (owner, count) => {
        const file = firstFile + owner;
        if (corpus.fileLength[file] === 0) return;
        hits.push(file);
        counts[file] = float32At(counts, file) + count;
      });
    }
  }
  return hits;
}
