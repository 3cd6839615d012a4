import { float64At } from '../../contract/at.ts';
import { NumberSet } from './number-set.ts';
import { grown, type PathTable } from './path-table.ts';

/** Size, times and content of a file when it was read. */
export interface StoredStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly hash: string;
}

/** size, mtime, ctime. */
const NUMBERS = 3;
/** Characters of a hash; a shorter one is filled up with zeros. */
const HASH_BYTES = 16;

/** What was stored of each file of a tree, in columns by the numbers of its paths. */
export class StampTable {
  readonly paths: PathTable;
  readonly #stored = new NumberSet();
  #rows = 0;
  #numbers = new Float64Array(0);
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

  get(path: string): StoredStamp | undefined {
    return this.at(this.paths.numberOf(path));
  }

  at(number: number): StoredStamp | undefined {
    if (!this.#stored.has(number)) return undefined;
    const from = number * NUMBERS;
    const start = number * HASH_BYTES;
    const end = this.#hashes.subarray(start, start + HASH_BYTES).indexOf(0);
    return {
      size: float64At(this.#numbers, from),
      mtimeMs: float64At(this.#numbers, from + 1),
      ctimeMs: float64At(this.#numbers, from + 2),
      hash: this.#hashes.toString('latin1', start, start + (end === -1 ? HASH_BYTES : end)),
    };
  }

  /** Whether the stored size and times are these. */
  isAt(number: number, size: number, mtimeMs: number, ctimeMs: number): boolean {
    const from = number * NUMBERS;
    return (
      this.#stored.has(number) &&
      this.#numbers[from] === size &&
      this.#numbers[from + 1] === mtimeMs &&
      this.#numbers[from + 2] === ctimeMs
    );
  }

  set(path: string, { size, mtimeMs, ctimeMs, hash }: StoredStamp): void {
    if (hash.length > HASH_BYTES) throw new Error(`The hash ${hash} is too long.`);
    const number = this.paths.add(path);
    this.#reserve(number);
    this.#stored.add(number);
    this.#numbers.set([size, mtimeMs, ctimeMs], number * NUMBERS);
    const start = number * HASH_BYTES;
    this.#hashes.fill(0, start, start + HASH_BYTES);
    this.#hashes.write(hash, start, 'latin1');
  }

  delete(path: string): void {
    this.#stored.delete(this.paths.numberOf(path));
  }

  /** A copy for a tree that was opened again and has numbered its paths afresh. */
  movedTo(paths: PathTable): StampTable {
    const moved = new StampTable(paths);
    for (const number of this.#stored) {
      const stamp = this.at(number);
      if (stamp !== undefined) moved.set(this.paths.path(number), stamp);
    }
    return moved;
  }

  #reserve(number: number): void {
    if (number < this.#rows) return;
    // Most paths of a tree get a row.
    this.#rows = Math.max(this.paths.length, Math.min(grown(this.#rows), grown(number)));
    const numbers = new Float64Array(this.#rows * NUMBERS);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const hashes = Buffer.alloc(this.#rows * HASH_BYTES);
    this.#hashes.copy(hashes);
    this.#hashes = hashes;
  }
}
