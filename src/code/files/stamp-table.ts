import { float64At } from '../../contract/at.ts';

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
const FIRST_ROWS = 256;

/**
 * What was stored of each file, by path: numbers in columns instead of an object with a text for each file, which takes
 * three times the memory. Give paths that are kept elsewhere anyway.
 */
export class StampTable {
  readonly #rows = new Map<string, number>();
  readonly #free: number[] = [];
  #numbers = new Float64Array(NUMBERS * FIRST_ROWS);
  #hashes = Buffer.alloc(HASH_BYTES * FIRST_ROWS);

  get size(): number {
    return this.#rows.size;
  }

  keys(): IterableIterator<string> {
    return this.#rows.keys();
  }

  has(path: string): boolean {
    return this.#rows.has(path);
  }

  get(path: string): StoredStamp | undefined {
    const row = this.#rows.get(path);
    if (row === undefined) return undefined;
    const at = row * NUMBERS;
    const start = row * HASH_BYTES;
    const end = this.#hashes.subarray(start, start + HASH_BYTES).indexOf(0);
    return {
      size: float64At(this.#numbers, at),
      mtimeMs: float64At(this.#numbers, at + 1),
      ctimeMs: float64At(this.#numbers, at + 2),
      hash: this.#hashes.toString('latin1', start, start + (end === -1 ? HASH_BYTES : end)),
    };
  }

  /** Whether the stored size and times are these; without an object for each file that is asked about. */
  isAt(path: string, { size, mtimeMs, ctimeMs }: Omit<StoredStamp, 'hash'>): boolean {
    const row = this.#rows.get(path);
    if (row === undefined) return false;
    const at = row * NUMBERS;
    return (
      this.#numbers[at] === size && this.#numbers[at + 1] === mtimeMs && this.#numbers[at + 2] === ctimeMs
    );
  }

  set(path: string, { size, mtimeMs, ctimeMs, hash }: StoredStamp): void {
    if (hash.length > HASH_BYTES) throw new Error(`The hash ${hash} is too long.`);
    let row = this.#rows.get(path);
    if (row === undefined) {
      row = this.#free.pop() ?? this.#rows.size;
      this.#rows.set(path, row);
      this.#reserve(row + 1);
    }
    this.#numbers.set([size, mtimeMs, ctimeMs], row * NUMBERS);
    const start = row * HASH_BYTES;
    this.#hashes.fill(0, start, start + HASH_BYTES);
    this.#hashes.write(hash, start, 'latin1');
  }

  delete(path: string): void {
    const row = this.#rows.get(path);
    if (row === undefined) return;
    this.#rows.delete(path);
    this.#free.push(row);
  }

  #reserve(rows: number): void {
    if (rows * NUMBERS <= this.#numbers.length) return;
    const numbers = new Float64Array(this.#numbers.length * 2);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const hashes = Buffer.alloc(this.#hashes.length * 2);
    this.#hashes.copy(hashes);
    this.#hashes = hashes;
  }
}
