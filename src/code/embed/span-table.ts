const FNV_START = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;
/** The bit that makes an ASCII capital lower case; digits already have it. */
const LOWER = 32;

/**
 * A fixed map from lower-case ASCII words to their index in a list, looked up with a piece of a text in any case. A
 * lookup makes no string, so it is several times faster than a Map. `?? 0` only pleases the compiler: an accessor that
 * checks the index makes embedding 15 % slower.
 */
export class SpanTable {
  readonly #mask: number;
  readonly #place: Int32Array;
  readonly #hash: Int32Array;
  readonly #start: Int32Array;
  readonly #letters: Uint8Array;

  constructor(words: readonly string[]) {
    const capacity = 2 ** Math.ceil(Math.log2(words.length * 3 + 8));
    this.#mask = capacity - 1;
    this.#place = new Int32Array(capacity);
    this.#hash = new Int32Array(capacity);
    this.#start = new Int32Array(words.length + 1);
    this.#letters = new Uint8Array(words.reduce((sum, word) => sum + word.length, 0));
    let at = 0;
    for (const [place, word] of words.entries()) {
      this.#start[place] = at;
      for (let letter = 0; letter < word.length; letter++) this.#letters[at++] = word.charCodeAt(letter);
      this.#put(place, word);
    }
    this.#start[words.length] = at;
  }

  /** The index of `text.slice(from, to)` in the list, or -1. */
  find(text: string, from: number, to: number): number {
    let hash = FNV_START;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (text.charCodeAt(at) | LOWER), FNV_PRIME);
    for (let slot = this.#slot(hash); ; slot = (slot + 1) & this.#mask) {
      const stored = this.#place[slot] ?? 0;
      if (stored === 0) return -1;
      if (this.#hash[slot] === hash && this.#same(stored - 1, text, from, to)) return stored - 1;
    }
  }

  #slot(hash: number): number {
    return (hash ^ (hash >>> 15)) & this.#mask;
  }

  #put(place: number, word: string): void {
    let hash = FNV_START;
    for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), FNV_PRIME);
    let slot = this.#slot(hash);
    while (this.#place[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#place[slot] = place + 1;
    this.#hash[slot] = hash;
  }

  #same(place: number, text: string, from: number, to: number): boolean {
    const start = this.#start[place] ?? 0;
    if ((this.#start[place + 1] ?? 0) - start !== to - from) return false;
    for (let at = from; at < to; at++) {
      if (this.#letters[start + at - from] !== (text.charCodeAt(at) | LOWER)) return false;
    }
    return true;
  }
}
