import { at, float64At, uint32At } from '../../contract/at.ts';
import type { Literal, Requirement } from '../../regex/literals.ts';
import { readGroup } from './posting-groups.ts';
import { bitCount } from './trigram-directory.ts';
import { type Wanted, wantedKeys } from './trigram-keys.ts';
import type { SegmentFile } from './trigram-segment-file.ts';

/** Lists read for the texts of a pattern; more of them rule out little. */
const USUAL_LISTS = 8;
/**
 * Reading a list takes a fraction of the time of opening a file. If only a handful of blocks are left and hardly all of
 * them can be right, more lists are read; in a large tree the wrong blocks of all segments would outweigh the matches.
 */
const MAX_LISTS = 20;
const HANDFUL_OF_BLOCKS = 16;
/** Searching this few blocks is cheaper than reading the lists of more texts. */
const FEW_BLOCKS = 3;

const known = new WeakMap<Literal, readonly Wanted[]>();

/** The keys of a text, computed once for all segments. */
function keysOf(literal: Literal): readonly Wanted[] {
  let keys = known.get(literal);
  if (keys === undefined) {
    keys = wantedKeys(Buffer.from(literal.text), literal.folded);
    known.set(literal, keys);
  }
  return keys;
}

/** Blocks that may satisfy a requirement: a bitmap, or undefined for all of them. */
export interface Selection {
  readonly blocks: Uint32Array | undefined;
  /** The blocks of each text, if the requirement is one of several texts. */
  readonly alternatives: readonly Uint32Array[];
}

/** Each takes one bit of a number. */
const MAX_ALTERNATIVES = 31;

/** Answers which blocks of a segment can satisfy a requirement. */
export class KeyReader {
  readonly #file: SegmentFile;
  readonly #words: number;

  constructor(file: SegmentFile, blocks: number) {
    this.#file = file;
    this.#words = (blocks + 31) >> 5;
  }

  /** Throws DamagedSegment. */
  select(need: Requirement): Selection {
    if (need.kind !== 'one' || need.parts.length > MAX_ALTERNATIVES)
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
    // All texts together, so that the rarest keys of all are read first.
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

  /** Blocks with the keys of all texts; undefined if every text is too short for a key. */
  #all(texts: readonly Literal[]): Uint32Array | undefined {
    const keys = texts.length === 1 && texts[0] ? keysOf(texts[0]) : texts.flatMap(keysOf);
    const order = this.#rarestFirst(keys);
    if (order === undefined) return new Uint32Array(this.#words);
    let result: Uint32Array | undefined;
    let read = 0;
    for (const { start, end, subkeys } of order) {
      const left = result === undefined ? Number.POSITIVE_INFINITY : countBits(result);
      if (left === 0 || read === MAX_LISTS || (read >= USUAL_LISTS && left > HANDFUL_OF_BLOCKS)) break;
      const blocks = new Uint32Array(this.#words);
      readGroup(this.#file.group(start, end), subkeys, blocks);
      if (result === undefined) result = blocks;
      else intersect(result, blocks);
      read++;
    }
    return result;
  }

  /** The lists of the keys, probably shortest first; undefined if a key has no list. */
  #rarestFirst(keys: readonly Wanted[]): Iterable<KeyList> | undefined {
    const { directory } = this.#file;
    const lists: KeyList[] = [];
    const sizes = new Float64Array(keys.length);
    for (const [index, { trigram, subkeys }] of keys.entries()) {
      const group = directory.find(trigram);
      if (group === undefined) return undefined;
      lists.push({ ...group, subkeys });
      sizes[index] = (group.end - group.start) * bitCount(subkeys);
    }
    return inOrderOf(lists, sizes);
  }
}

/** The list of a key. */
interface KeyList {
  /** Where its group is. */
  readonly start: number;
  readonly end: number;
  readonly subkeys: number;
}

/** Neighbouring trigrams share two characters and mostly occur together, so they are read later. */
const NEIGHBOURS = [-2, -1, 1, 2];
const NEIGHBOUR_PENALTY = 16;

/** Finds each next list only on demand, because only a few of many are read. */
function* inOrderOf(lists: readonly KeyList[], sizes: Float64Array): Iterable<KeyList> {
  for (let taken = 0; taken < lists.length; taken++) {
    let best = 0;
    for (let index = 1; index < sizes.length; index++)
      if (float64At(sizes, index) < float64At(sizes, best)) best = index;
    sizes[best] = Number.POSITIVE_INFINITY;
    for (const step of NEIGHBOURS)
      if (best + step in sizes) sizes[best + step] = float64At(sizes, best + step) * NEIGHBOUR_PENALTY;
    yield at(lists, best);
  }
}

function union(bitmaps: readonly Uint32Array[], words: number): Uint32Array {
  const result = new Uint32Array(words);
  for (const bitmap of bitmaps)
    for (let index = 0; index < words; index++)
      result[index] = uint32At(result, index) | uint32At(bitmap, index);
  return result;
}

function intersect(into: Uint32Array, other: Uint32Array): void {
  for (let index = 0; index < into.length; index++)
    into[index] = uint32At(into, index) & uint32At(other, index);
}

function countBits(bits: Uint32Array): number {
  let count = 0;
  for (const word of bits) count += bitCount(word);
  return count;
}
