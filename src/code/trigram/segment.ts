import type { Literal, Requirement } from '../regex/literals.ts';
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

/** Lists read for one text; after that the few blocks left are cheaper to read than more lists. */
const MAX_LISTS = 6;

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
    if (need.kind === 'literal') return this.#literal(need.literal);
    let result: Uint32Array | undefined;
    for (const part of need.parts) {
      const blocks = this.evaluate(part);
      if (blocks === undefined) {
        if (need.kind === 'one') return undefined;
        continue;
      }
      if (result === undefined) result = blocks;
      else combine(result, blocks, need.kind);
      if (need.kind === 'all' && result.every((word) => word === 0)) return result;
    }
    return result;
  }

  #literal({ text, folded }: Literal): Uint32Array | undefined {
    const wanted = wantedKeys(Buffer.from(text), folded);
    if (wanted.length === 0) return undefined;
    const places: { readonly size: number; readonly at: number; readonly key: Wanted }[] = [];
    for (const key of wanted) {
      const at = this.#find(key.trigram);
      if (at === -1) return new Uint32Array(this.#words);
      places.push({ key, at, size: (this.#file.offsets[at + 1] ?? 0) - (this.#file.offsets[at] ?? 0) });
    }
    places.sort((a, b) => a.size - b.size);
    let result: Uint32Array | undefined;
    for (const { key, at } of places.slice(0, MAX_LISTS)) {
      const blocks = new Uint32Array(this.#words);
      readGroup(
        this.#file.group(this.#file.offsets[at] ?? 0, this.#file.offsets[at + 1] ?? 0),
        key.subkeys,
        blocks,
      );
      if (result === undefined) result = blocks;
      else combine(result, blocks, 'all');
      if (atMost(result, 2)) break;
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

function combine(into: Uint32Array, other: Uint32Array, how: 'all' | 'one'): void {
  for (let index = 0; index < into.length; index++) {
    const a = into[index] ?? 0;
    const b = other[index] ?? 0;
    into[index] = how === 'all' ? a & b : a | b;
  }
}

/** True when no more than `most` bits are set. */
function atMost(bits: Uint32Array, most: number): boolean {
  let count = 0;
  for (const word of bits) {
    for (let rest = word; rest !== 0; rest &= rest - 1) if (++count > most) return false;
  }
  return true;
}
