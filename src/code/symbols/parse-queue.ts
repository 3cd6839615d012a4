import type { SourceFile } from '../files/source-tree.ts';

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
  readonly left: readonly SourceFile[];
  /** The caller no longer waits. */
  end(): void;
}

interface Waiter {
  readonly files: Set<SourceFile>;
  readonly removed: Set<string>;
  dropped: boolean;
}

/** What one transaction stores: fewer files if a question waits. */
const URGENT = { files: 24, bytes: 300_000 };
const USUAL = { files: 150, bytes: 1_000_000 };

/** Files to parse, those that questions wait for first. */
export class ParseQueue {
  #urgent = new Set<SourceFile>();
  #rest = new Set<SourceFile>();
  /** Files of batches that failed. */
  #alone = new Set<SourceFile>();
  readonly #removed = new Set<string>();
  readonly #running = new Set<ParseBatch>();
  readonly #waiters = new Set<Waiter>();

  get isEmpty(): boolean {
    return this.#urgent.size + this.#rest.size + this.#alone.size + this.#removed.size === 0;
  }

  /** Whether files are left that no question waits for. */
  get isBuilding(): boolean {
    return this.#rest.size > 0;
  }

  /** Puts files first. */
  urge(files: readonly SourceFile[], removed: readonly string[]): Waiting {
    const running = this.#inWork();
    for (const file of files) {
      if (running.has(file) || this.#alone.has(file)) continue;
      this.#rest.delete(file);
      this.#urgent.add(file);
    }
    return this.#wait(files, removed);
  }

  /** Puts files after those that are waited for. */
  add(files: readonly SourceFile[], removed: readonly string[]): Waiting {
    const running = this.#inWork();
    for (const file of files)
      if (!running.has(file) && !this.#alone.has(file) && !this.#urgent.has(file)) this.#rest.add(file);
    return this.#wait(files, removed);
  }

  next(): ParseBatch | undefined {
    if (this.isEmpty) return undefined;
    const urgent = this.#urgent.size > 0;
    const files = urgent
      ? take(this.#urgent, URGENT)
      : this.#rest.size > 0
        ? take(this.#rest, USUAL)
        : take(this.#alone, { files: 1, bytes: 0 });
    const batch = { files, removed: [...this.#removed], urgent };
    this.#removed.clear();
    this.#running.add(batch);
    return batch;
  }

  done(batch: ParseBatch): void {
    this.#running.delete(batch);
    for (const { files, removed } of this.#waiters) {
      for (const file of batch.files) files.delete(file);
      for (const path of batch.removed) removed.delete(path);
    }
  }

  /** Puts the files of a batch that failed back, each on its own. */
  split(batch: ParseBatch): void {
    this.#running.delete(batch);
    for (const file of batch.files) this.#alone.add(file);
    for (const path of batch.removed) this.#removed.add(path);
  }

  /** Drops what no question waits for. */
  stop(): void {
    this.#rest.clear();
    const coming = new Set([...this.#inWork(), ...this.#urgent, ...this.#alone]);
    for (const waiter of this.#waiters)
      if ([...waiter.files].some((file) => !coming.has(file))) waiter.dropped = true;
  }

  /** Drops everything that is not being parsed already. */
  clear(): void {
    this.#urgent.clear();
    this.#rest.clear();
    this.#alone.clear();
    this.#removed.clear();
    for (const waiter of this.#waiters) waiter.dropped = true;
  }

  #wait(files: readonly SourceFile[], removed: readonly string[]): Waiting {
    for (const path of removed) this.#removed.add(path);
    const waiter: Waiter = { files: new Set(files), removed: new Set(removed), dropped: false };
    this.#waiters.add(waiter);
    return {
      get over() {
        return waiter.dropped || (waiter.files.size === 0 && waiter.removed.size === 0);
      },
      get left() {
        return [...waiter.files];
      },
      end: () => void this.#waiters.delete(waiter),
    };
  }

  #inWork(): Set<SourceFile> {
    return new Set([...this.#running].flatMap(({ files }) => files));
  }
}

function take(from: Set<SourceFile>, most: { readonly files: number; readonly bytes: number }): SourceFile[] {
  const taken: SourceFile[] = [];
  let bytes = 0;
  for (const file of from) {
    if (taken.length >= most.files || (taken.length > 0 && bytes + file.size > most.bytes)) break;
    bytes += file.size;
    taken.push(file);
  }
  for (const file of taken) from.delete(file);
  return taken;
}
