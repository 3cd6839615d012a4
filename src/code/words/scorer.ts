import type { WordWeights } from './fields.ts';
import type { PostingReader } from './posting-reader.ts';
import { PREFIX } from './word-index.ts';

/** A part of the index as the word scorer sees it; numbers of chunks and files count on from the part before. */
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
  readonly fileLength: Float32Array;
  readonly meanChunkLength: number;
  readonly meanFileLength: number;
}

/** A term of the question and how much it counts. */
export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/** What the words say. Arrays are over all chunks or files; the lists name the ones that are not zero. */
export interface WordScores {
  readonly chunk: Float32Array;
  readonly file: Float32Array;
  /** Share of the question's weight that stands in the file, 0 to 1. */
  readonly coverage: Float32Array;
  readonly files: readonly number[];
  /** Rarity of each term, by term. */
  readonly idf: ReadonlyMap<string, number>;
}

/** BM25 with weighted fields, for chunks and for whole files at once; words of a path count for all its chunks. */
export function scoreWords(
  corpus: WordCorpus,
  terms: readonly WeightedTerm[],
  weights: WordWeights,
): WordScores {
  const chunks = corpus.fileOf.length;
  const files = corpus.fileLength.length;
  const scores = {
    chunk: new Float32Array(chunks),
    file: new Float32Array(files),
    coverage: new Float32Array(files),
  };
  const inChunk = new Float32Array(chunks);
  const inFile = new Float32Array(files);
  const path = new Float32Array(files);
  const idf = new Map<string, number>();
  const seenFiles = new Set<number>();
  let total = 0;
  for (const { term, weight } of terms) {
    const chunkHits = collect(corpus, term, weights, inChunk, inFile);
    const pathHits = collectPath(corpus, term, weights, path);
    const hitFiles = new Set(pathHits);
    for (const chunk of chunkHits) hitFiles.add(corpus.fileOf[chunk] ?? 0);
    const rarity = Math.log(1 + (chunks - chunkHits.length + 0.5) / (chunkHits.length + 0.5));
    const fileRarity = Math.log(1 + (files - hitFiles.size + 0.5) / (hitFiles.size + 0.5));
    idf.set(term, fileRarity);
    total += fileRarity * weight;
    for (const file of hitFiles) {
      const from = corpus.firstChunkOf[file] ?? 0;
      const to = corpus.firstChunkOf[file + 1] ?? 0;
      const inPath = path[file] ?? 0;
      for (let chunk = from; chunk < to; chunk++) {
        const count = (inChunk[chunk] ?? 0) + inPath;
        if (count === 0) continue;
        const length = (corpus.chunkLength[chunk] ?? 0) / corpus.meanChunkLength;
        scores.chunk[chunk] =
          (scores.chunk[chunk] ?? 0) + weight * rarity * saturate(count, length, weights.k1, weights.b);
      }
      const length = (corpus.fileLength[file] ?? 0) / corpus.meanFileLength;
      const count = (inFile[file] ?? 0) + 3 * inPath;
      scores.file[file] =
        (scores.file[file] ?? 0) + weight * fileRarity * saturate(count, length, weights.k1, weights.fileB);
      scores.coverage[file] = (scores.coverage[file] ?? 0) + weight * fileRarity;
      inFile[file] = 0;
      path[file] = 0;
      seenFiles.add(file);
    }
    for (const chunk of chunkHits) inChunk[chunk] = 0;
  }
  if (total > 0) for (const file of seenFiles) scores.coverage[file] = (scores.coverage[file] ?? 0) / total;
  return { ...scores, files: [...seenFiles], idf };
}

/** How much of one full point a count earns: repeats help less and less, long texts need more of them. */
function saturate(count: number, relativeLength: number, k1: number, b: number): number {
  return (count * (k1 + 1)) / (count + k1 * (1 - b + b * relativeLength));
}

/** Weighted counts of a term in every chunk and file; returns the chunks. */
function collect(
  corpus: WordCorpus,
  term: string,
  weights: WordWeights,
  inChunk: Float32Array,
  inFile: Float32Array,
): number[] {
  const hits: number[] = [];
  for (const { reader, firstChunk } of corpus.parts) {
    const id = reader.id(term);
    if (id === undefined) continue;
    reader.each(id, weights, (owner, count) => {
      const chunk = firstChunk + owner;
      const file = corpus.fileOf[chunk] ?? 0;
      if (count === 0 || corpus.fileLength[file] === 0) return;
      hits.push(chunk);
      inChunk[chunk] = count;
      inFile[file] = (inFile[file] ?? 0) + count;
    });
  }
  return hits;
}

/** Weighted counts of a term in paths; returns the files. */
function collectPath(corpus: WordCorpus, term: string, weights: WordWeights, path: Float32Array): number[] {
  const hits: number[] = [];
  for (const { reader, firstFile } of corpus.parts) {
    for (const [prefix, weight] of [
      [PREFIX.stem, weights.stem],
      [PREFIX.folder, weights.folder],
    ] as const) {
      const id = reader.id(prefix + term);
      if (id === undefined || weight === 0) continue;
      reader.each(id, PLAIN, (owner, count) => {
        const file = firstFile + owner;
        if (corpus.fileLength[file] === 0) return;
        hits.push(file);
        path[file] = (path[file] ?? 0) + count * weight;
      });
    }
  }
  return hits;
}

const PLAIN: WordWeights = {
  body: 1,
  comment: 0,
  signature: 0,
  symbol: 0,
  stem: 0,
  folder: 0,
  k1: 0,
  b: 0,
  fileB: 0,
};
