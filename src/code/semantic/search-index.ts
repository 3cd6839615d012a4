import { float32At, uint32At } from '../../contract/at.ts';
import { unpackText } from '../words/packed-texts.ts';
import { PostingReader } from '../words/posting-reader.ts';
import { rarity, type WordCorpus, type WordPart } from '../words/score-words.ts';
import { stem } from '../words/stem.ts';
import { PREFIX } from '../words/word-index.ts';
import { type ChunkLabel, type IndexedFile, parseLabel, type Segment } from './semantic-segment.ts';

/** A segment with its position in the whole index. */
export interface IndexPart extends WordPart {
  readonly segment: Segment;
}

/** All segments as one, with chunks and files numbered consecutively. A file without words is deleted or empty. */
export interface SearchIndex extends WordCorpus {
  readonly parts: readonly IndexPart[];
  readonly files: readonly IndexedFile[];
  readonly chunks: number;
}

/** Joins segments; a file in a later segment, or in `gone`, hides the same path in earlier ones. */
export function joinSegments(
  segments: readonly Segment[],
  gone: ReadonlySet<string> = new Set(),
): SearchIndex {
  const chunks = segments.reduce((sum, { length }) => sum + length.length, 0);
  const files = segments.flatMap((segment) => segment.files);
  const newest = new Map(files.map(({ path }, at) => [path, at]));
  const fileOf = new Uint32Array(chunks);
  const firstChunkOf = new Uint32Array(files.length + 1);
  const chunkLength = new Float32Array(chunks);
  const fileLength = new Float32Array(files.length);
  const parts: IndexPart[] = [];
  let firstChunk = 0;
  let firstFile = 0;
  let words = 0;
  for (const segment of segments) {
    parts.push({ segment, reader: new PostingReader(segment.words), firstChunk, firstFile });
    for (const [local, { path, chunkFrom, chunkTo }] of segment.files.entries()) {
      const file = firstFile + local;
      firstChunkOf[file] = firstChunk + chunkFrom;
      const alive = newest.get(path) === file && !gone.has(path);
      for (let at = chunkFrom; at < chunkTo; at++) {
        const length = uint32At(segment.length, at);
        fileOf[firstChunk + at] = file;
        chunkLength[firstChunk + at] = length;
        if (alive) fileLength[file] = float32At(fileLength, file) + length;
      }
      words += float32At(fileLength, file);
    }
    firstChunk += segment.length.length;
    firstFile += segment.files.length;
  }
  firstChunkOf[files.length] = chunks;
  return {
    parts,
    files,
    chunks,
    fileOf,
    firstChunkOf,
    chunkLength,
    fileLength,
    meanChunkLength: words / Math.max(1, chunks) || 1,
  };
}

/** The part that a file is in. */
export function partOfFile(index: SearchIndex, file: number): IndexPart {
  return found(index.parts.findLast(({ firstFile }) => firstFile <= file));
}

function partOfChunk(index: SearchIndex, chunk: number): IndexPart {
  return found(index.parts.findLast(({ firstChunk }) => firstChunk <= chunk));
}

function found(part: IndexPart | undefined): IndexPart {
  if (part === undefined) throw new RangeError('the index has no such file or chunk');
  return part;
}

/** Chunks that declare a name (given without case and separators). */
export function definers(index: SearchIndex, name: string): number[] {
  const found: number[] = [];
  for (const { reader, firstChunk } of index.parts) {
    const id = reader.id(PREFIX.defined + name);
    if (id !== undefined) reader.owners(id, (owner) => found.push(firstChunk + owner));
  }
  return found;
}

/** The label of a chunk. */
export function labelOf(index: SearchIndex, chunk: number): ChunkLabel {
  const { segment, firstChunk } = partOfChunk(index, chunk);
  return parseLabel(unpackText(segment.labels, chunk - firstChunk));
}

/** How rare a word of a question is among the chunks. */
export function wordRarity(index: SearchIndex, word: string): number {
  const term = stem(word);
  let hits = 0;
  for (const { reader } of index.parts) {
    const id = reader.id(term);
    if (id !== undefined) hits += reader.frequency(id);
  }
  return rarity(index.chunks, Math.min(hits, index.chunks));
}

/** The lines of a chunk, from 1, both included. */
export function linesOf(index: SearchIndex, chunk: number): { line_start: number; line_end: number } {
  const { segment, firstChunk } = partOfChunk(index, chunk);
  const local = chunk - firstChunk;
  return { line_start: uint32At(segment.lineStart, local), line_end: uint32At(segment.lineEnd, local) };
}
