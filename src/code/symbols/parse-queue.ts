import { NumberSet } from '../files/number-set.ts';
import { type SourceFile, type SourceFiles, sameFile } from '../files/source-tree.ts';

export interface ParseBatch {
  readonly files: readonly SourceFile[];
  readonly removed: readonly string[];
  /** A question waits for it. */
  readonly urgent: boolean;
}

/** Files that somebody waits for. */
export interface Waiting {
  /** True once they have been parsed, or dropped. */
  readonly over: boolean;
  /** How many of them are left. */
  readonly left: number;
  /** The caller no longer waits. */
  end(): void;
}

interface Waiter {
  readonly numbers: NumberSet;
  readonly removed: Set<string>;
  dropped: boolean;
}

/** What one transaction stores: fewer files if a question waits. */
const URGENT = { files: 24, bytes: 300_000 };
const USUAL = { files: 150, bytes: 1_000_000 };

/** Files to parse, by their numbers in the tree, those that questions wait for first. */
export class ParseQueue {
  #files: SourceFiles;
  readonly #urgent = new Set<number>();
  /** In the order in which they were added; those that are no longer in `#rest` are skipped. */
  #order: Uint32Array = new Uint32Array(0);
  #next = 0;
  readonly #rest = new NumberSet();
  /** Files of batches that failed. */
  readonly #alone = new Set<number>();
  readonly #removed = new Set<string>();
  readonly #running = new Set<ParseBatch>();
  readonly #waiters = new Set<Waiter>();

  constructor(files: SourceFiles) {
    this.#files = files;
  }

  /** Goes on with the numbers of another tree; what waits is dropped. */
  follow(files: SourceFiles): void {
    if (files === this.#files) return;
    this.clear();
    this.#files = files;
  }

  get isEmpty(): boolean {
    return this.#urgent.size + this.#rest.size + this.#alone.size + this.#removed.size === 0;
  }

  /** Whether files are left that no question waits for. */
  get isBuilding(): boolean {
    return this.#rest.size > 0;
  }

  /** Puts files first. */
  urge(numbers: readonly number[], removed: readonly string[]): Waiting {
    const running = this.#inWork();
    for (const number of numbers) {
      if (running.has(number) || this.#alone.has(number)) continue;
      this.#rest.delete(number);
      this.#urgent.add(number);
    }
    return this.#wait(numbers, removed);
  }

  /** Puts files after those that are waited for. */
  add(numbers: readonly number[], removed: readonly string[]): Waiting {
    const running = this.#inWork();
    const isNew = (number: number) =>
      !running.has(number) &&
      !this.#alone.has(number) &&
      !this.#urgent.has(number) &&
      !this.#rest.has(number);
    const fresh = numbers.filter(isNew);
    const before = this.#order.subarray(this.#next).filter((number) => this.#rest.has(number));
    this.#order = new Uint32Array(before.length + fresh.length);
    this.#order.set(before);
    this.#order.set(fresh, before.length);
    this.#next = 0;
    for (const number of fresh) this.#rest.add(number);
    return this.#wait(numbers, removed);
  }

  next(): ParseBatch | undefined {
    if (this.isEmpty) return undefined;
    const urgent = this.#urgent.size > 0;
    const files = urgent
      ? this.#take(this.#urgent, URGENT)
      : this.#rest.size > 0
        ? this.#takeRest()
        : this.#take(this.#alone, { files: 1, bytes: 0 });
    const batch = { files, removed: [...this.#removed], urgent };
    this.#removed.clear();
    this.#running.add(batch);
    return batch;
  }

  done(batch: ParseBatch): void {
    this.#running.delete(batch);
    for (const { path } of batch.files) this.#parsed(this.#files.paths.numberOf(path));
    for (const { removed } of this.#waiters) for (const path of batch.removed) removed.delete(path);
  }

  /** Puts the files of a batch that failed back, each on its own. */
  split(batch: ParseBatch): void {
    this.#running.delete(batch);
    for (const { path } of batch.files) this.#alone.add(this.#files.paths.numberOf(path));
    for (const path of batch.removed) this.#removed.add(path);
  }

  /** Drops what no question waits for. */
  stop(): void {
    this.#dropRest();
    const running = this.#inWork();
    const isComing = (number: number) =>
      running.has(number) || this.#urgent.has(number) || this.#alone.has(number);
    for (const waiter of this.#waiters)
      if ([...waiter.numbers].some((number) => !isComing(number))) waiter.dropped = true;
  }

  /** Drops everything that is not being parsed already. */
  clear(): void {
    this.#urgent.clear();
    this.#dropRest();
    this.#alone.clear();
    this.#removed.clear();
    for (const waiter of this.#waiters) waiter.dropped = true;
  }

  #dropRest(): void {
    this.#rest.clear();
    this.#order = new Uint32Array(0);
    this.#next = 0;
  }

  #wait(numbers: readonly number[], removed: readonly string[]): Waiting {
    for (const path of removed) this.#removed.add(path);
    const waiter: Waiter = { numbers: new NumberSet(), removed: new Set(removed), dropped: false };
    for (const number of numbers) waiter.numbers.add(number);
    this.#waiters.add(waiter);
    return {
      get over() {
        return waiter.dropped || (waiter.numbers.size === 0 && waiter.removed.size === 0);
      },
      get left() {
        return waiter.numbers.size;
      },
      end: () => void this.#waiters.delete(waiter),
    };
  }

  /** Nobody waits for a file any more, unless it changed since and is queued again. */
  #parsed(number: number): void {
    if (this.#urgent.has(number) || this.#rest.has(number) || this.#alone.has(number)) return;
    for (const { numbers } of this.#waiters) numbers.delete(number);
  }

  /** The files that are being parsed as they are now. */
  #inWork(): ReadonlySet<number> {
    const numbers = new Set<number>();
    for (const { files } of this.#running)
      for (const file of files) {
        const now = this.#files.get(file.path);
        if (now !== undefined && sameFile(now, file)) numbers.add(this.#files.paths.numberOf(file.path));
      }
    return numbers;
  }

  #take(from: Set<number>, most: typeof USUAL): SourceFile[] {
    const room = new Room(most);
    for (const number of from) {
      if (room.isFull(this.#sizeOf(number))) break;
      from.delete(number);
      this.#put(number, room);
    }
    return room.files;
  }

  #takeRest(): SourceFile[] {
    const room = new Room(USUAL);
    for (; this.#next < this.#order.length; this.#next++) {
      const number = this.#order[this.#next];
      if (number === undefined || !this.#rest.has(number)) continue;
      if (room.isFull(this.#sizeOf(number))) break;
      this.#rest.delete(number);
      this.#put(number, room);
    }
    return room.files;
  }

  #put(number: number, room: Room): void {
    const file = this.#files.at(number);
    if (file !== undefined) room.add(file);
    // It is gone, and what is stored of it will be removed as such.
    else this.#parsed(number);
  }

  #sizeOf(number: number): number {
    return this.#files.isListed(number) ? this.#files.sizeAt(number) : 0;
  }
}

/** What fits into one transaction; at least one file. */
class Room {
  readonly files: SourceFile[] = [];
  readonly #most: typeof USUAL;
  #bytes = 0;

  constructor(most: typeof USUAL) {
    this.#most = most;
  }

  isFull(size: number): boolean {
    const { length } = this.files;
    return length >= this.#most.files || (length > 0 && this.#bytes + size > this.#most.bytes);
  }

  add(file: SourceFile): void {
    this.#bytes += file.size;
    this.files.push(file);
  }
}
