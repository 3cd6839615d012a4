import type { Literal, Requirement } from '../../regex/literals.ts';
import { type Wanted, wantedKeys } from './alphabet.ts';
import { bitCount } from './directory.ts';
import { readGroup } from './posting-groups.ts';
import { openSegment, type SegmentFile } from './segment-file.ts';
import { decodeTable, type IndexedFile, SPAN_WIDTH, type Spans } from './segment-table.ts';

/** A part of a file that may match. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Number of the line at `from`. */
  readonly line: number;
  /** Where one of several texts is demanded, bit n says that the n-th may be here. */
  readonly texts?: number | undefined;
}

/** A segment open for questions. */
export interface Segment {
  readonly path: string;
  readonly bytes: number;
  /** For each file that may match, by its number and in order, the spans that may; all when nothing is demanded. */
  candidates(need: Requirement): Iterable<readonly [file: number, spans: readonly Span[]]>;
  close(): void;
}

/** Lists read for the texts of a pattern; more of them rule out little. */
const MAX_LISTS = 8;
/** So few blocks are cheaper to look into than another list. */
const FEW_BLOCKS = 3;

/** Opens a segment file; gives its files, too, which it does not keep. Throws DamagedSegment. */
export function openSegmentReader(path: string): { segment: Segment; files: readonly IndexedFile[] } {
  const { file, table } = openSegment(path);
  const { files, spans, blocks } = decodeTable(table);
  const reader = new KeyReader(file, blocks);
  const starts = blockStarts(spans, blocks);
  const segment: Segment = {
    path,
    bytes: file.bytes,
    candidates: (need) => matchingSpans(spans, starts, reader.select(need)),
    close: () => file.close(),
  };
  return { segment, files };
}

/** The first span of each block, and one more: spans are ordered by block as well as by file. */
function blockStarts({ numbers, count }: Spans, blocks: number): Uint32Array {
  const starts = new Uint32Array(blocks + 1).fill(count);
  for (let index = count - 1; index >= 0; index--) starts[numbers[index * SPAN_WIDTH + 1] ?? 0] = index;
  for (let block = blocks - 1; block >= 0; block--)
    starts[block] = Math.min(starts[block] ?? count, starts[block + 1] ?? count);
  return starts;
}

function* matchingSpans(
  { numbers, count }: Spans,
  starts: Uint32Array,
  { blocks, alternatives }: Selection,
): Iterable<readonly [number, readonly Span[]]> {
  let file = -1;
  let found: Span[] = [];
  for (const [from, to] of blocks === undefined ? [[0, count] as const] : spanRanges(blocks, starts)) {
    for (let index = from; index < to; index++) {
      const at = index * SPAN_WIDTH;
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
        ...(alternatives.length > 0 ? { texts: membership(alternatives, numbers[at + 1] ?? 0) } : {}),
      });
    }
  }
  if (found.length > 0) yield [file, found];
}

/** Bit n is set when the n-th bitmap has the block. */
function membership(bitmaps: readonly Uint32Array[], block: number): number {
  let mask = 0;
  for (const [index, bitmap] of bitmaps.entries())
    mask |= (((bitmap[block >> 5] ?? 0) >>> (block & 31)) & 1) << index;
  return mask;
}

/** Where the spans of each block of a bitmap lie. */
function* spanRanges(blocks: Uint32Array, starts: Uint32Array): Iterable<readonly [number, number]> {
  for (const [word, bits] of blocks.entries()) {
    for (let left = bits; left !== 0; left &= left - 1) {
      const block = (word << 5) + (31 - Math.clz32(left & -left));
      yield [starts[block] ?? 0, starts[block + 1] ?? 0];
    }
  }
}

const known = new WeakMap<Literal, readonly Wanted[]>();

/** The keys of a text, made once for all segments. */
function keysOf(literal: Literal): readonly Wanted[] {
  let keys = known.get(literal);
  if (keys === undefined) {
    keys = wantedKeys(Buffer.from(literal.text), literal.folded);
    known.set(literal, keys);
  }
  return keys;
}

/** Blocks that may satisfy a requirement: a bitmap, or undefined for all of them. */
interface Selection {
  readonly blocks: Uint32Array | undefined;
  /** Where the requirement is one of several texts, the blocks of each. */
  readonly alternatives: readonly Uint32Array[];
}

/** Bits of a number. */
const MOST_ALTERNATIVES = 31;

/** Answers which blocks can satisfy a requirement. */
class KeyReader {
  readonly #file: SegmentFile;
  readonly #words: number;

  constructor(file: SegmentFile, blocks: number) {
    this.#file = file;
    this.#words = (blocks + 31) >> 5;
  }

  select(need: Requirement): Selection {
    if (need.kind !== 'one' || need.parts.length > MOST_ALTERNATIVES)
      return { blocks: this.#evaluate(need), alternatives: [] };
    const each = need.parts.map((part) => (part.kind === 'literal' ? this.#evaluate(part) : undefined));
    const alternatives = each.filter((blocks) => blocks !== undefined);
    if (alternatives.length < each.length) return { blocks: this.#evaluate(need), alternatives: [] };
    return { blocks: union(alternatives, this.#words), alternatives };
  }

  #evaluate(need: Requirement): Uint32Array | undefined {
    if (need.kind === 'any') return undefined;
    if (need.kind === 'literal') return this.#all([need.literal]);
    if (need.kind === 'one') return this.#one(need.parts);
    // All texts together, so that the rarest keys of any of them are read first.
    const texts = need.parts.flatMap((part) => (part.kind === 'literal' ? [part.literal] : []));
    let result = this.#all(texts);
    for (const part of need.parts) {
      if (part.kind === 'literal' || (result !== undefined && countBits(result) <= FEW_BLOCKS)) continue;
      const blocks = this.#evaluate(part);
      if (blocks === undefined) continue;
      if (result === undefined) result = blocks;
      else intersect(result, blocks);
    }
    return result;
  }

  #one(parts: readonly Requirement[]): Uint32Array | undefined {
    const each: Uint32Array[] = [];
    for (const part of parts) {
      const blocks = this.#evaluate(part);
      if (blocks === undefined) return undefined;
      each.push(blocks);
    }
    return union(each, this.#words);
  }

  /** Blocks with the keys of all the texts; undefined when none of them is long enough for a key. */
  #all(texts: readonly Literal[]): Uint32Array | undefined {
    const { directory } = this.#file;
    const places: { readonly size: number; readonly at: number; readonly key: Wanted }[] = [];
    for (const text of texts) {
      for (const key of keysOf(text)) {
        const at = directory.find(key.trigram);
        if (at === -1) return new Uint32Array(this.#words);
        places.push({ key, at, size: directory.end(at) - directory.start(at) });
      }
    }
    places.sort((a, b) => a.size - b.size);
    let result: Uint32Array | undefined;
    for (const { key, at } of places.slice(0, MAX_LISTS)) {
      const blocks = new Uint32Array(this.#words);
      const group = this.#file.group(directory.start(at), directory.end(at));
      readGroup(group, key.subkeys, blocks);
      if (result === undefined) result = blocks;
      else intersect(result, blocks);
      if (countBits(result) <= FEW_BLOCKS) break;
    }
    return result;
  }
}

function union(bitmaps: readonly Uint32Array[], words: number): Uint32Array {
  const result = new Uint32Array(words);
  for (const bitmap of bitmaps)
    for (let index = 0; index < words; index++) result[index] = (result[index] ?? 0) | (bitmap[index] ?? 0);
  return result;
}

function intersect(into: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < into.length; index++) into[index] = (into[index] ?? 0) & (other[index] ?? 0);
}

function countBits(bits: Uint32Array): number {
  let count = 0;
  for (const word of bits) count += bitCount(word);
  return count;
}
