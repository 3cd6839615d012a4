export type OnProgress = (done: number, total: number) => void;

/** The pace of the first few files is mostly that of starting up. */
const MIN_FILES = 200;

/** Progress and speed of an update. */
export class Pace {
  readonly #listeners = new Set<OnProgress>();
  #began = 0;
  #done = 0;
  #total = 0;
  #next = deferred();

  /** Resolves at the next step, or at the end. */
  get next(): Promise<void> {
    return this.#next.promise;
  }

  begin(total: number): void {
    this.#began = performance.now();
    this.#done = 0;
    this.#total = total;
  }

  add(files: number): void {
    this.#done = Math.min(this.#total, this.#done + files);
    for (const listener of this.#listeners) listener(this.#done, this.#total);
    this.#step();
  }

  end(): void {
    this.#total = 0;
    this.#step();
  }

  /** Undefined if nothing runs, or too little was read to say. */
  get secondsLeft(): number | undefined {
    if (this.#total === 0 || this.#done < Math.min(MIN_FILES, this.#total / 10)) return undefined;
    const elapsed = performance.now() - this.#began;
    return Math.ceil((elapsed * (this.#total - this.#done)) / this.#done / 1000);
  }

  /** Reports progress to a listener until the work ends. */
  async during(work: Promise<void>, listener: OnProgress): Promise<void> {
    this.#listeners.add(listener);
    if (this.#total > 0) listener(this.#done, this.#total);
    try {
      await work;
    } finally {
      this.#listeners.delete(listener);
    }
  }

  #step(): void {
    this.#next.resolve();
    this.#next = deferred();
  }
}

export function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
