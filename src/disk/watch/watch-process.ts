import { Child } from '../../threads/child.ts';
import type { Refused, WatchHost, WatchNews, WatchOrder } from './folder-watch.ts';
import type { WatchMethods, WatchNewsMessage } from './watching.worker.ts';

const NODE_FLAGS = ['--single-threaded', '--max-semi-space-size=1'];

/** Watches folders in another process; `ended` is called when it dies. */
export class WatchProcess implements WatchHost {
  readonly #child: Child<WatchMethods, WatchNewsMessage>;
  #ended = false;

  constructor(news: WatchNews, queue: number, ended: () => void) {
    this.#child = new Child(new URL('./watching.worker.ts', import.meta.url), {
      flags: NODE_FLAGS,
      onNews(message) {
        if (message.type === 'overflow') news.overflow();
        else news[message.type](message.index, message.ids);
      },
      onGone: () => {
        this.#ended = true;
        ended();
      },
    });
    void this.#ask(() => this.#child.call('begin', queue), undefined);
  }

  /** The process itself, for measurements. */
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
    this.#ended = true;
    void this.#child.stop();
  }

  /** Once the process has ended, nothing is watched, and this object does not start it again. */
  async #ask<Answer>(ask: () => Promise<Answer>, otherwise: Answer): Promise<Answer> {
    if (this.#ended) return otherwise;
    return ask().catch(() => otherwise);
  }
}
