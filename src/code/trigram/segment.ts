import type { Literal, Requirement } from '../../regex/literals.ts';
import { type Wanted, wantedKeys } from './alphabet.ts';
import { readGroup } from './postings.ts';
import { openSegment, type SegmentFile } from './segment-file.ts';
import { decodeTable, type IndexedFile, SPAN_WIDTH, type Spans } from './segment-table.ts';

/** A part of a file that may match. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Number of the line at `from`. */
  readonly line: number;
}

/** A segment open for questions. */
export interface Segment {
  readonly path: string;
  readonly bytes: number;
  readonly files: readonly IndexedFile[];
  /** For each file that may match, by its number and in order, the spans that may; all when nothing is demanded. */
  candidates(need: Requirement): Iterable<readonly [file: number, spans: readonly Span[]]>;
  close(): void;
}

/** Lists read for the texts of a pattern; more of them rule out little. */
const MAX_LISTS = 8;
/** So few blocks are cheaper to look into than another list. */
const FEW_BLOCKS = 3;

/** Opens a segment file. Throws DamagedSegment. */
export function openSegmentReader(path: string): Segment {
  const file = openSegment(path);
  const { files, spans, blocks } = decodeTable(file.table);
  const reader = new KeyReader(file, blocks);
  return {
    path,
    bytes: file.bytes,
    files,
    candidates: (need) => matchingSpans(spans, reader.evaluate(need)),
    close: () => file.close(),
  };
}

function* matchingSpans(
  spans: Spans,
  blocks: Uint32Array | undefined,
): Iterable<readonly [number, readonly Span[]]> {
  const { numbers, count } = spans;
  if (blocks?.every((word) => word === 0)) return;
  let file = -1;
  let found: Span[] = [];
  for (let index = 0; index < count; index++) {
    const at = index * SPAN_WIDTH;
    const block = numbers[at + 1] ?? 0;
    if (blocks !== undefined && (((blocks[block >> 5] ?? 0) >>> (block & 31)) & 1) === 0) continue;
    const owner = numbers[at] ?? 0;
    if (owner !== file) {
      if (found.length > 0) yield [file, found];
      file = owner;
      found = [];
    }
    found.push({
      from: numbers[at + 2] ?? 0,
      to: numbers[at + 3] ?? 0,
      line: numbers[at + 4] ?? 0,
    });
  }
  if (found.length > 0) yield [file, found];
}

/** Answers which blocks can satisfy a requirement: a bitmap, or undefined for all of them. */
class KeyReader {
  readonly #file: SegmentFile;
  readonly #words: number;

  constructor(file: SegmentFile, blocks: number) {
    this.#file = file;
    this.#words = (blocks + 31) >> 5;
  }

  evaluate(need: Requirement): Uint32Array | undefined {
    if (need.kind === 'any') return undefined;
    if (need.kind === 'literal') return this.#all([need.literal]);
    if (need.kind === 'one') return this.#one(need.parts);
    // All texts together, so that the rarest keys of any of them are read first.
    const texts = need.parts.flatMap((part) => (part.kind === 'literal' ? [part.literal] : []));
    let result = this.#all(texts);
    for (const part of need.parts) {
      if (part.kind === 'literal' || (result !== undefined && countBits(result) <= FEW_BLOCKS)) continue;
      const blocks = this.evaluate(part);
      if (blocks === undefined) continue;
      if (result === undefined) result = blocks;
      else intersect(result, blocks);
    }
    return result;
  }

  #one(parts: readonly Requirement[]): Uint32Array | undefined {
    const result = new Uint32Array(this.#words);
    for (const part of parts) {
      const blocks = this.evaluate(part);
      if (blocks === undefined) return undefined;
      for (let index = 0; index < result.length; index++)
        result[index] = (result[index] ?? 0) | (blocks[index] ?? 0);
    }
    return result;
  }

  /** Blocks with the keys of all the texts; undefined when none of them is long enough for a key. */
  #all(texts: readonly Literal[]): Uint32Array | undefined {
    const places: { readonly size: number; readonly at: number; readonly key: Wanted }[] = [];
    for (const { text, folded } of texts) {
      for (const key of wantedKeys(Buffer.from(text), folded)) {
        const at = this.#find(key.trigram);
        if (at === -1) return new Uint32Array(this.#words);
        places.push({ key, at, size: (this.#file.offsets[at + 1] ?? 0) - (this.#file.offsets[at] ?? 0) });
      }
    }
    places.sort((a, b) => a.size - b.size);
    let result: Uint32Array | undefined;
    for (const { key, at } of places.slice(0, MAX_LISTS)) {
      const blocks = new Uint32Array(this.#words);
      const group = this.#file.group(this.#file.offsets[at] ?? 0, this.#file.offsets[at + 1] ?? 0);
      readGroup(group, key.subkeys, blocks);
      if (result === undefined) result = blocks;
      else intersect(result, blocks);
      if (countBits(result) <= FEW_BLOCKS) break;
    }
    return result;
  }

  #find(trigram: number): number {
    const { trigrams } = this.#file;
    let low = 0;
    let high = trigrams.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const value = trigrams[middle] ?? 0;
      if (value === trigram) return middle;
      if (value < trigram) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

function intersect(into: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < into.length; index++) into[index] = (into[index] ?? 0) & (other[index] ?? 0);
}

function countBits(bits: Uint32Array): number {
  let count = 0;
  for (const word of bits) {
    const pairs = word - ((word >>> 1) & 0x55555555);
    const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
    count += Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
