import { availableParallelism } from 'node:os';
import { threadCount } from '../../threads/scarce-memory.ts';
import { Thread } from '../../threads/thread.ts';
import type { IndexMethods } from './semantic-index.worker.ts';
import type { SearchMethods } from './semantic-search.worker.ts';

/** The threads of semantic search: one that answers, and some that read files. */
export interface SemanticThreads {
  readonly search: Thread<SearchMethods>;
  readonly index: readonly Thread<IndexMethods>[];
  /** Ends the threads that read files and have nothing to do: they keep the memory of what they read. */
  rest(): Promise<void>;
  stop(): Promise<void>;
}

/** Indexes stay in memory for this long after the last question. */
const SEARCH_IDLE_MS = 15 * 60_000;
const INDEX_IDLE_MS = 60_000;
const MAX_INDEX_THREADS = 4;
/** Reading files makes many short-lived strings; with less room more time goes to garbage, with more none is saved. */
const INDEX_YOUNG_MB = 12;
/** A batch of source code took at most 139 MB of it; a limit makes V8 collect garbage earlier. */
const INDEX_OLD_MB = 512;

/** Creates the threads; each starts when it is first needed. */
export function createThreads(): SemanticThreads {
  const search = new Thread<SearchMethods>(new URL('./semantic-search.worker.ts', import.meta.url), {
    idleMs: SEARCH_IDLE_MS,
  });
  const count = threadCount(Math.min(MAX_INDEX_THREADS, Math.max(1, availableParallelism())));
  const index = Array.from(
    { length: count },
    () =>
      new Thread<IndexMethods>(new URL('./semantic-index.worker.ts', import.meta.url), {
        idleMs: INDEX_IDLE_MS,
        limits: { maxYoungGenerationSizeMb: INDEX_YOUNG_MB, maxOldGenerationSizeMb: INDEX_OLD_MB },
      }),
  );
  return {
    search,
    index,
    async rest() {
      await Promise.all(index.filter(({ busy }) => !busy).map((thread) => thread.stop()));
    },
    async stop() {
      await Promise.all([search.stop(), ...index.map((thread) => thread.stop())]);
    },
  };
}
