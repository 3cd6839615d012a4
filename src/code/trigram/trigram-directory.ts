import { uint32At } from '../../contract/at.ts';
import { TRIGRAMS } from './trigram-keys.ts';

/**
 * Which trigrams a segment has, as one bit each, with the number of trigrams before every word: this takes a third of
 * the memory of a list, and needs no search.
 */
export class Directory {
  readonly #bits = new Uint32Array(TRIGRAMS >> 5);
  readonly #before = new Uint32Array(TRIGRAMS >> 5);
  readonly #offsets: Uint32Array;

  /** Takes the trigrams in order, with the offset of each group and the end of the last one. */
  constructor(trigrams: Uint32Array, offsets: Uint32Array) {
    this.#offsets = offsets.slice();
    for (const trigram of trigrams)
      this.#bits[trigram >> 5] = uint32At(this.#bits, trigram >> 5) | (1 << (trigram & 31));
    let before = 0;
    for (const [word, bits] of this.#bits.entries()) {
      this.#before[word] = before;
      before += bitCount(bits);
    }
  }

  /** Number of the group of a trigram; -1 if it has none. */
  find(trigram: number): number {
    const bits = uint32At(this.#bits, trigram >> 5);
    const bit = 1 << (trigram & 31);
    return (bits & bit) === 0 ? -1 : uint32At(this.#before, trigram >> 5) + bitCount(bits & (bit - 1));
  }

  start(group: number): number {
    return uint32At(this.#offsets, group);
  }

  end(group: number): number {
    return uint32At(this.#offsets, group + 1);
  }
}

/** The number of bits that are set in a word. */
export function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
