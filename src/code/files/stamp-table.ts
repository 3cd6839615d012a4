import { uint32At } from '../../contract/at.ts';
import { NumberSet } from './number-set.ts';
import { grown, type PathTable } from './path-table.ts';

/** Size, times and content of a file when it was read. */
export interface StoredStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly hash: string;
}

/** Words of a fingerprint. */
const WORDS = 2;
/** Characters of a hash; a shorter one is filled up with zeros. */
const HASH_BYTES = 16;

/**
 * What was stored of each file of a tree, in columns by the numbers of its paths. Of size and times it keeps 64 bits,
 * which is enough to see that they differ: the numbers themselves would take 16 bytes more for each file.
 */
export class StampTable {
  readonly paths: PathTable;
  readonly #stored = new NumberSet();
  #rows = 0;
  #states = new Uint32Array(0);
  #hashes = Buffer.alloc(0);

  constructor(paths: PathTable) {
    this.paths = paths;
  }

  get size(): number {
    return this.#stored.size;
  }

  /** The numbers of all files that are stored. */
  numbers(): Iterable<number> {
    return this.#stored;
  }

  has(path: string): boolean {
    return this.holds(this.paths.numberOf(path));
  }

  holds(number: number): boolean {
    return this.#stored.has(number);
  }

  /** The hash of what is stored of a file. */
  hashOf(path: string): string | undefined {
    const number = this.paths.numberOf(path);
    return this.#stored.has(number) ? this.#hash(number) : undefined;
  }

  /** Whether the stored size and times are these. */
  isAt(number: number, size: number, mtimeMs: number, ctimeMs: number): boolean {
    if (!this.#stored.has(number)) return false;
    const [low, high] = fingerprint(size, mtimeMs, ctimeMs);
    return this.#states[number * WORDS] === low && this.#states[number * WORDS + 1] === high;
  }

  set(path: string, { size, mtimeMs, ctimeMs, hash }: StoredStamp): void {
    this.#put(path, fingerprint(size, mtimeMs, ctimeMs), hash);
  }

  delete(path: string): void {
    this.#stored.delete(this.paths.numberOf(path));
  }

  /** A copy for a tree that was opened again and has numbered its paths afresh. */
  movedTo(paths: PathTable): StampTable {
    const moved = new StampTable(paths);
    for (const number of this.#stored) {
      const at = number * WORDS;
      const state = [uint32At(this.#states, at), uint32At(this.#states, at + 1)] as const;
      moved.#put(this.paths.path(number), state, this.#hash(number));
    }
    return moved;
  }

  #put(path: string, state: Fingerprint, hash: string): void {
    if (hash.length > HASH_BYTES) throw new Error(`The hash ${hash} is too long.`);
    const number = this.paths.add(path);
    this.#reserve(number);
    this.#stored.add(number);
    this.#states.set(state, number * WORDS);
    const start = number * HASH_BYTES;
    this.#hashes.fill(0, start, start + HASH_BYTES);
    this.#hashes.write(hash, start, 'latin1');
  }

  #hash(number: number): string {
    const start = number * HASH_BYTES;
    const end = this.#hashes.subarray(start, start + HASH_BYTES).indexOf(0);
    return this.#hashes.toString('latin1', start, start + (end === -1 ? HASH_BYTES : end));
  }

  #reserve(number: number): void {
    if (number < this.#rows) return;
    // Most paths of a tree get a row.
    this.#rows = Math.max(this.paths.length, Math.min(grown(this.#rows), grown(number)));
    const states = new Uint32Array(this.#rows * WORDS);
    states.set(this.#states);
    this.#states = states;
    const hashes = Buffer.alloc(this.#rows * HASH_BYTES);
    this.#hashes.copy(hashes);
    this.#hashes = hashes;
  }
}

/** Two words that stand for size and times. */
type Fingerprint = readonly [low: number, high: number];

const numbers = new Float64Array(3);
const words = new Uint32Array(numbers.buffer);

function fingerprint(size: number, mtimeMs: number, ctimeMs: number): Fingerprint {
  numbers[0] = size;
  numbers[1] = mtimeMs;
  numbers[2] = ctimeMs;
  let low = 0x9e3779b9;
  let high = 0x85ebca6b;
  for (const word of words) {
    low = mixed(low ^ word, 0xcc9e2d51);
    high = mixed(high ^ word, 0x1b873593);
  }
  return [low >>> 0, high >>> 0];
}

function mixed(value: number, factor: number): number {
  const product = Math.imul(value, factor);
  return Math.imul(product ^ (product >>> 15), 0x2c1b3c6d) ^ (product >>> 13);
}
