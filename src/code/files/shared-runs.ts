/**
 * Work that must start after it was requested: a run already under way may miss what the caller has just done, so the
 * caller waits for it, and one more run serves everyone who asked in the meantime.
 */
export class SharedRuns<T> {
  readonly #run: () => Promise<T>;
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(run: () => Promise<T>) {
    this.#run = run;
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  take(): Promise<T> {
    if (this.#running === undefined) return this.#start();
    const start = () => this.#start();
    this.#next ??= this.#running.then(start, start);
    return this.#next;
  }

  #start(): Promise<T> {
    this.#next = undefined;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }
}
