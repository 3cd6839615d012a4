import { Child } from '../../threads/child.ts';
import type { Refused, WatchHost, WatchNews, WatchOrder } from './folder-watch.ts';
import type { WatchMethods, WatchNewsMessage } from './watching.worker.ts';

const FLAGS = ['--single-threaded', '--max-semi-space-size=1'];

/** Watches folders in another process; `ended` is called when that one dies. */
export class WatchProcess implements WatchHost {
  readonly #child: Child<WatchMethods, WatchNewsMessage>;
  #over = false;

  constructor(news: WatchNews, queue: number, ended: () => void) {
    this.#child = new Child(new URL('./watching.worker.ts', import.meta.url), {
      flags: FLAGS,
      onNews(message) {
        if (message.type === 'overflow') news.overflow();
        else news[message.type](message.index, message.ids);
      },
      onGone: () => {
        this.#over = true;
        ended();
      },
    });
    void this.#ask(() => this.#child.call('begin', queue), undefined);
  }

  /** The process itself, to be measured. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  add(order: WatchOrder): Promise<readonly Refused[]> {
    return this.#ask(() => this.#child.call('add', order), []);
  }

  drop(index: number, ids: readonly number[]): void {
    void this.#ask(() => this.#child.call('drop', { index, ids }), undefined);
  }

  flush(): Promise<void> {
    return this.#ask(() => this.#child.call('flush', undefined), undefined);
  }

  close(): void {
    this.#over = true;
    void this.#child.stop();
  }

  /** Once the process is gone nothing is watched, which `ended` has said, and it is not started again. */
  async #ask<Answer>(ask: () => Promise<Answer>, otherwise: Answer): Promise<Answer> {
    if (this.#over) return otherwise;
    return ask().catch(() => otherwise);
  }
}
