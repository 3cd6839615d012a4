import { uint32At } from '../../contract/at.ts';

/** A set of small numbers, such as those of the files of a tree: one bit each. */
export class NumberSet {
  #words = new Uint32Array(32);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(number: number): boolean {
    return (((this.#words[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
  }

  add(number: number): void {
    if (this.has(number)) return;
    const word = number >>> 5;
    if (word >= this.#words.length) this.#grow(word + 1);
    this.#words[word] = uint32At(this.#words, word) | (1 << (number & 31));
    this.#size++;
  }

  delete(number: number): boolean {
    if (!this.has(number)) return false;
    const word = number >>> 5;
    this.#words[word] = uint32At(this.#words, word) & ~(1 << (number & 31));
    this.#size--;
    return true;
  }

  clear(): void {
    this.#words = new Uint32Array(32);
    this.#size = 0;
  }

  /** From small to large. Numbers may be added and deleted meanwhile. */
  *[Symbol.iterator](): Generator<number, undefined> {
    for (let word = 0; word < this.#words.length; word++) {
      if (this.#words[word] === 0) continue;
      for (let bit = 0; bit < 32; bit++) {
        const number = (word << 5) | bit;
        if (this.has(number)) yield number;
      }
    }
  }

  #grow(words: number): void {
    const larger = new Uint32Array(Math.max(words, 2 * this.#words.length));
    larger.set(this.#words);
    this.#words = larger;
  }
}
