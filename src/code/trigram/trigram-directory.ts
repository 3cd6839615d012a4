import { uint32At } from '../../contract/at.ts';
import { TRIGRAMS } from './trigram-keys.ts';

const WORDS = TRIGRAMS >> 5;
const MAX_SHORT = 0xffff;

/**
 * Which trigrams a segment has, as one bit each, and how long the group of each is. For every word of 32 bits it keeps
 * the number of groups before it and where its first one starts: a list of trigrams and offsets would take three times
 * the memory, and a large tree has hundreds of segments.
 */
export class Directory {
  readonly #bits = new Uint32Array(WORDS);
  readonly #before = new Uint32Array(WORDS);
  readonly #starts = new Uint32Array(WORDS);
  readonly #lengths: Uint16Array | Uint32Array;

  /** Takes the trigrams in order, with the offset of each group and the end of the last one. */
  constructor(trigrams: Uint32Array, offsets: Uint32Array) {
    const lengths = trigrams.map((_none, group) => uint32At(offsets, group + 1) - uint32At(offsets, group));
    this.#lengths = lengths.every((length) => length <= MAX_SHORT) ? Uint16Array.from(lengths) : lengths;
    for (const trigram of trigrams)
      this.#bits[trigram >> 5] = uint32At(this.#bits, trigram >> 5) | (1 << (trigram & 31));
    let before = 0;
    for (const [word, bits] of this.#bits.entries()) {
      this.#before[word] = before;
      this.#starts[word] = uint32At(offsets, before);
      before += bitCount(bits);
    }
  }

  /** Where the group of a trigram is; undefined if it has none. */
  find(trigram: number): { readonly start: number; readonly end: number } | undefined {
    const word = trigram >> 5;
    const bits = uint32At(this.#bits, word);
    const bit = 1 << (trigram & 31);
    if ((bits & bit) === 0) return undefined;
    const first = uint32At(this.#before, word);
    const group = first + bitCount(bits & (bit - 1));
    let start = uint32At(this.#starts, word);
    for (let other = first; other < group; other++) start += this.#lengths[other] ?? 0;
    return { start, end: start + (this.#lengths[group] ?? 0) };
  }
}

/** The number of bits that are set in a word. */
export function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
