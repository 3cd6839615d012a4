import type { Thread } from '../../threads/thread.ts';
import type { SourceFile } from '../files/source-tree.ts';
import type { SymbolMethods } from './symbol-index.worker.ts';

/** A thread that has parsed more text than this is started again. */
const RENEW_BYTES = 64_000_000;

/** Ends a thread now and then, so that the memory of its parsers, which only grows, goes back to the system. */
export class ThreadWear {
  readonly #thread: Thread<SymbolMethods>;
  readonly #database: string;
  readonly #most: number;
  #bytes = 0;

  constructor(thread: Thread<SymbolMethods>, database: string, most = RENEW_BYTES) {
    this.#thread = thread;
    this.#database = database;
    this.#most = most;
  }

  /** Call it after each batch. */
  async after(files: readonly Pick<SourceFile, 'size'>[]): Promise<void> {
    for (const { size } of files) this.#bytes += size;
    if (this.#bytes <= this.#most || this.#thread.busy) return;
    this.#bytes = 0;
    await this.#thread.call('forget', this.#database).catch(() => undefined);
    // A question may have come in meanwhile.
    if (!this.#thread.busy) await this.#thread.stop();
  }
}
