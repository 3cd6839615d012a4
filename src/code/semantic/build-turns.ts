import { setImmediate as nextTurn } from 'node:timers/promises';

/** Called between two files: lets other builds of the thread start, and urgent ones go first. */
export type Pause = () => Promise<void>;

/** How long a build runs before it lets others run. */
const TURN_MS = 10;

/** The builds of one thread: those that a search waits for run before background builds. */
export class BuildTurns {
  #urgent = 0;
  #lastUrgent: Promise<void> = Promise.resolve();
  #freed = (): void => {};

  async run<T>(urgent: boolean, build: (pause: Pause) => Promise<T>): Promise<T> {
    if (urgent && this.#urgent++ === 0) {
      this.#lastUrgent = new Promise((resolve) => {
        this.#freed = resolve;
      });
    }
    let since = performance.now();
    try {
      return await build(async () => {
        if (performance.now() - since < TURN_MS) return;
        await nextTurn();
        while (!urgent && this.#urgent > 0) await this.#lastUrgent;
        since = performance.now();
      });
    } finally {
      if (urgent && --this.#urgent === 0) this.#freed();
    }
  }
}
