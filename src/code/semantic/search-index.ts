import { float32At, uint32At } from '../../contract/at.ts';
import { unpackText } from '../words/packed-texts.ts';
import { PostingReader } from '../words/posting-reader.ts';
import { rarity, type WordCorpus, type WordPart } from '../words/score-words.ts';
import { stem } from '../words/stem.ts';
import { PREFIX } from '../words/word-index.ts';
import { FileList } from './file-table.ts';
import { PathNumbers } from './path-numbers.ts';
import { type ChunkLabel, parseLabel, type Segment } from './semantic-segment.ts';

/** A segment with its position in the whole index. */
export interface IndexPart extends WordPart {
  readonly segment: Segment;
}

/** All segments as one, with chunks and files numbered consecutively. A file without words is deleted or empty. */
export interface SearchIndex extends WordCorpus {
  readonly parts: readonly IndexPart[];
  readonly files: FileList;
  readonly chunks: number;
}

/** Segments joined so that more can be added without looking at all files again. */
export interface JoinedIndex extends SearchIndex {
  /** The number of the newest file at each path. */
  readonly newest: PathNumbers;
  /** Words in all files that are not hidden. */
  readonly words: number;
}

/**
 * Joins segments; a file in a later segment, or in `gone`, hides the same path in earlier ones. `before` is an index of
 * the first of these segments: the result extends it and takes over its `newest`.
 */
export function joinSegments(
  segments: readonly Segment[],
  gone: ReadonlySet<string> = new Set(),
  before?: JoinedIndex,
): JoinedIndex {
  const added = segments.slice(before?.parts.length ?? 0);
  const chunks = segments.reduce((sum, { length }) => sum + length.length, 0);
  const files = new FileList(segments.map((segment) => segment.files));
  const newest = before?.newest ?? new PathNumbers();
  const fileOf = longer(new Uint32Array(chunks), before?.fileOf);
  const firstChunkOf = longer(new Uint32Array(files.length + 1), before?.firstChunkOf);
  const chunkLength = longer(new Float32Array(chunks), before?.chunkLength);
  const fileLength = longer(new Float32Array(files.length), before?.fileLength);
  const parts: IndexPart[] = [...(before?.parts ?? [])];
  let firstChunk = before?.chunks ?? 0;
  let firstFile = before?.files.length ?? 0;
  let words = before?.words ?? 0;
  const hide = (file: number | undefined): void => {
    if (file === undefined) return;
    words -= float32At(fileLength, file);
    fileLength[file] = 0;
  };
  for (const segment of added) {
    parts.push({ segment, reader: new PostingReader(segment.words), firstChunk, firstFile });
    const lengths = segment.length.read(0, segment.length.length);
    for (let local = 0; local < segment.files.length; local++) {
      const file = firstFile + local;
      const [chunkFrom, chunkTo] = segment.files.chunks(local);
      hide(newest.replace(files, file));
      firstChunkOf[file] = firstChunk + chunkFrom;
      for (let at = chunkFrom; at < chunkTo; at++) {
        const length = uint32At(lengths, at);
        fileOf[firstChunk + at] = file;
        chunkLength[firstChunk + at] = length;
        fileLength[file] = float32At(fileLength, file) + length;
      }
      words += float32At(fileLength, file);
    }
    firstChunk += segment.length.length;
    firstFile += segment.files.length;
  }
  for (const path of gone) hide(newest.get(files, path));
  firstChunkOf[files.length] = chunks;
  const meanChunkLength = words / Math.max(1, chunks) || 1;
  return {
    parts,
    files,
    chunks,
    fileOf,
    firstChunkOf,
    chunkLength,
    fileLength,
    meanChunkLength,
    newest,
    words,
  };
}

function longer<T extends Uint32Array | Float32Array>(target: T, source: T | undefined): T {
  if (source !== undefined) target.set(source);
  return target;
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
    const term = reader.find(PREFIX.defined + name);
    if (term !== undefined) reader.owners(term, (owner) => found.push(firstChunk + owner));
  }
  return found;
}

/** The label of a chunk. */
export function labelOf(index: SearchIndex, chunk: number): ChunkLabel {
  const { segment, firstChunk } = partOfChunk(index, chunk);
  return parseLabel(unpackText(segment.labels, chunk - firstChunk));
}

/** Whether a term is in any chunk. */
export function occurs(index: SearchIndex, term: string): boolean {
  return index.parts.some(({ reader }) => reader.find(term) !== undefined);
}

/** How rare a word of a question is among the chunks. */
export function wordRarity(index: SearchIndex, word: string): number {
  const term = stem(word);
  let hits = 0;
  for (const { reader } of index.parts) hits += reader.find(term)?.frequency ?? 0;
  return rarity(index.chunks, Math.min(hits, index.chunks));
}

/** The lines of a chunk, from 1, both included. */
export function linesOf(index: SearchIndex, chunk: number): { line_start: number; line_end: number } {
  const { segment, firstChunk } = partOfChunk(index, chunk);
  const local = chunk - firstChunk;
  return { line_start: segment.lineStart.at(local), line_end: segment.lineEnd.at(local) };
}
