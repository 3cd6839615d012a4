const FNV_START = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/**
 * Numbers distinct pieces of text. Nothing is allocated for one that it has seen, so that reading code, which repeats
 * its names, leaves no garbage behind. `?? 0` only pleases the compiler: an accessor that checks the index makes
 * counting words 16 % slower.
 */
export class IdentifierTable {
  #mask = (1 << 16) - 1;
  #slots = new Int32Array(1 << 16);
  #hashes = new Int32Array(1 << 14);
  #starts = new Int32Array((1 << 14) + 1);
  #letters = new Uint16Array(1 << 18);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of `text.slice(from, to)`; equal to the size before the call when it is new. */
  number(text: string, from: number, to: number): number {
    let hash = FNV_START;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
    let slot = (hash ^ (hash >>> 15)) & this.#mask;
    for (;;) {
      const stored = this.#slots[slot] ?? 0;
      if (stored === 0) break;
      if (this.#hashes[stored - 1] === hash && this.#same(stored - 1, text, from, to)) return stored - 1;
      slot = (slot + 1) & this.#mask;
    }
    return this.#insert(slot, hash, text, from, to);
  }

  #same(number: number, text: string, from: number, to: number): boolean {
    const start = this.#starts[number] ?? 0;
    if ((this.#starts[number + 1] ?? 0) - start !== to - from) return false;
    for (let at = from; at < to; at++) {
      if (this.#letters[start + at - from] !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  #insert(slot: number, hash: number, text: string, from: number, to: number): number {
    const number = this.#size++;
    const start = this.#starts[number] ?? 0;
    if (number + 2 > this.#starts.length) this.#starts = grown(this.#starts);
    if (number + 1 > this.#hashes.length) this.#hashes = grown(this.#hashes);
    while (start + to - from > this.#letters.length) this.#letters = grown(this.#letters);
    for (let at = from; at < to; at++) this.#letters[start + at - from] = text.charCodeAt(at);
    this.#starts[number + 1] = start + to - from;
    this.#hashes[number] = hash;
    this.#slots[slot] = number + 1;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    this.#mask = this.#slots.length - 1;
    for (let number = 0; number < this.#size; number++) {
      const hash = this.#hashes[number] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = number + 1;
    }
  }
}

/** A copy with twice the room. */
export function grown<T extends Int32Array | Uint16Array>(old: T): T {
  const larger = old instanceof Int32Array ? new Int32Array(old.length * 2) : new Uint16Array(old.length * 2);
  larger.set(old);
  return larger as T; // the same type as `old`, by the line above
}
