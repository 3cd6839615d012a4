import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unlessAborted } from '../contract/abort.ts';
import { fail } from '../contract/errors.ts';
import { Lru } from '../contract/lru.ts';
import type { JobContext, JobReport, Jobs } from '../jobs/jobs.ts';
import { type EmbedderChoice, embedderFromEnvironment, modelName } from './embed/open-embedder.ts';
import type { SourceTree } from './files/source-tree.ts';
import { rootId } from './indexed-tree.ts';
import { readQuery } from './rank/query.ts';
import type { MeaningAnswer, MeaningQuestion } from './semantic/answer.ts';
import { MeaningIndex } from './semantic/meaning-index.ts';
import { createThreads } from './semantic/threads.ts';

/** A question about the files of a tree. */
export type MeaningSearch = Omit<MeaningQuestion, 'root' | 'embedder'>;

/** An answer with what it can be trusted for. */
export interface MeaningResult extends MeaningAnswer {
  readonly index: {
    readonly files: number;
    readonly chunks: number;
    readonly fresh: boolean;
    readonly pending?: number;
  };
}

/** Search by meaning. */
export interface Semantic {
  /** Answers over the files as they are now; a large tree that was never read is answered from what is read so far. */
  search(tree: SourceTree, search: MeaningSearch, signal: AbortSignal): Promise<MeaningResult>;
  /** Resolves when the tree is in the index whole and no work is left. */
  settled(tree: SourceTree): Promise<void>;
  close(): Promise<void>;
}

export interface SemanticDeps {
  readonly jobs: Jobs;
  /** The data folder. */
  readonly home: string;
  readonly log: (line: string) => void;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const JOB_KIND = 'code-meaning';
/** How long an answer waits for files that are not in the index yet. */
const WAIT_MS = 1500;
/** More files than this are worth a job that people can watch. */
const JOB_FILES = 500;
const MAX_TREES = 12;

/** Opens the search by meaning. Call before `jobs.recover`, since it registers its kind of job. */
export async function openSemantic(deps: SemanticDeps): Promise<Semantic> {
  const { jobs, log } = deps;
  const embedder: EmbedderChoice = embedderFromEnvironment(deps.env ?? {});
  const model = modelName(embedder);
  const threads = createThreads();
  const indexes = new Lru<string, MeaningIndex>({
    most: MAX_TREES,
    dropped(index, root) {
      index.close();
      void threads.search.call('unload', { root }).catch(() => {});
    },
  });

  const indexOf = (tree: SourceTree): MeaningIndex => {
    const known = indexes.get(tree.root);
    if (known !== undefined) return known;
    const folder = join(deps.home, 'code', rootId(tree.root), 'semantic');
    const index = new MeaningIndex(tree, { folder, threads, embedder, model, log });
    indexes.set(tree.root, index);
    return index;
  };

  jobs.register({
    name: JOB_KIND,
    afterRestart: 'fail',
    async run({ params, progress }: JobContext): Promise<JobReport> {
      const index = indexes.get(String(params.root));
      await index?.update(new Set(), (done, total) =>
        progress({ done, total, unit: 'files', phase: 'reading' }),
      );
      return { ...index?.state };
    },
  });

  /** Brings the index up to date, or as far as the time allows. */
  const catchUp = async (index: MeaningIndex, tree: SourceTree, text: string): Promise<void> => {
    const pending = index.pending().length;
    const update = index.update(readQuery(text).words);
    // Heard of by whoever waits; nobody may be waiting any more when it fails.
    update.catch((error: unknown) => log(`code index of ${tree.root}: ${String(error)}`));
    if (pending > JOB_FILES) {
      jobs.start(JOB_KIND, tree.root, { root: tree.root }).catch((error: unknown) => log(String(error)));
    }
    await Promise.race([update, delay(WAIT_MS, undefined, { ref: false })]);
    await Promise.race([update, index.searchable]);
  };

  return {
    async search(tree, search, signal) {
      const { fresh, generation } = await tree.refresh(signal);
      const index = indexOf(tree);
      await unlessAborted(signal, index.open(tree));
      if (!index.upToDate(generation)) await unlessAborted(signal, catchUp(index, tree, search.text ?? ''));
      const question: MeaningQuestion = { ...search, root: tree.root, embedder };
      let answer = await unlessAborted(signal, threads.search.call('ask', question));
      if (answer === 'not loaded') {
        // The thread was idle for long and ended; what it knew is in files.
        await unlessAborted(signal, index.reload());
        answer = await unlessAborted(signal, threads.search.call('ask', question));
      }
      if (typeof answer === 'string') {
        fail(
          'not_found',
          'Nothing is indexed at that path and line; give the path of a source file and a line in it.',
        );
      }
      const pending = index.upToDate(generation) ? 0 : index.pending().length;
      const { files, chunks } = index.state;
      return {
        ...answer,
        index: { files, chunks, fresh: fresh && pending === 0, ...(pending > 0 ? { pending } : {}) },
      };
    },
    async settled(tree) {
      await tree.refresh();
      const index = indexOf(tree);
      await index.open(tree);
      await index.update();
      await index.settled();
    },
    async close() {
      for (const index of indexes.values()) index.close();
      await threads.stop();
    },
  };
}
