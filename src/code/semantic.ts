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
import { pathFilter } from './search/query.ts';
import type { MeaningAnswer, MeaningQuestion } from './semantic/answer.ts';
import type { Wanted } from './semantic/file-queue.ts';
import { MeaningIndex } from './semantic/meaning-index.ts';
import type { OnProgress } from './semantic/pace.ts';
import { createThreads } from './semantic/threads.ts';

/** A question about the files of a tree. */
export type MeaningSearch = Omit<MeaningQuestion, 'root' | 'embedder'>;

/** An answer with what it can be trusted for. */
export interface MeaningResult extends MeaningAnswer {
  readonly index: { readonly files: number; readonly chunks: number; readonly fresh: boolean };
  /** How many of the files that the question is about were looked at, when that is not all. */
  readonly indexing?: { readonly files: number; readonly of: number; readonly seconds_left?: number };
}

/** Search by meaning. */
export interface Semantic {
  /** Answers over the files as they are now; a large tree that was never read is answered from what is read so far. */
  search(tree: SourceTree, search: MeaningSearch, signal: AbortSignal): Promise<MeaningResult>;
  /** Resolves when every file of the tree is in the index. */
  build(tree: SourceTree, signal: AbortSignal, progress?: OnProgress): Promise<void>;
  /** Resolves when no work on the tree is left, the pass behind the first answers included. */
  settled(tree: SourceTree): Promise<void>;
  close(): Promise<void>;
}

export interface SemanticDeps {
  readonly jobs: Jobs;
  /** The data folder. */
  readonly home: string;
  readonly log: (line: string) => void;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long an answer waits for files that are not in the index yet, many or few. */
  readonly waitMs?: { readonly many: number; readonly few: number };
}

const JOB_KIND = 'code-meaning';
const WAIT_MS = { many: 3_000, few: 10_000 };
/** So many files are read first of all, whatever else there is to do: soon enough to be waited for. */
const FEW_FILES = 400;
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
    async run({ params, signal, progress }: JobContext): Promise<JobReport> {
      const index = indexes.get(String(params.root));
      if (index === undefined) return {};
      const update = index.update(undefined, (done, total) =>
        progress({ done, total, unit: 'files', phase: 'reading' }),
      );
      await stoppedBy(signal, index, update);
      return { ...index.state };
    },
  });

  /** Reads what the question is about, or as much of it as the time allows. */
  const catchUp = async (index: MeaningIndex, tree: SourceTree, wanted: Wanted): Promise<void> => {
    const removed = !index.updating && index.removed().length > 0;
    const pending = index.pending().length;
    const update = index.update(wanted);
    // Heard of by whoever waits; nobody may be waiting any more when it fails.
    update.catch((error: unknown) => log(`code index of ${tree.root}: ${String(error)}`));
    if (pending > JOB_FILES) {
      jobs.start(JOB_KIND, tree.root, { root: tree.root }).catch((error: unknown) => log(String(error)));
    }
    const { many, few } = deps.waitMs ?? WAIT_MS;
    const began = performance.now();
    const atFirst = index.pending(wanted.accept).length;
    while (index.updating) {
      const asked = index.pending(wanted.accept).length;
      // Some of many are waited for as long as a few: an answer from next to nothing helps nobody.
      const isMany = asked > FEW_FILES && asked < atFirst;
      const left = began + (isMany ? many : few) - performance.now();
      if (left <= 0 || (asked === 0 && !removed)) break;
      await Promise.race([update, index.progressed, delay(left, undefined, { ref: false })]);
    }
    await Promise.race([update, index.searchable]);
  };

  return {
    async search(tree, search, signal) {
      const { fresh, generation } = await tree.refresh(signal);
      const index = indexOf(tree);
      await unlessAborted(signal, index.open(tree));
      const wanted = wantedBy(search);
      if (!index.upToDate(generation)) await unlessAborted(signal, catchUp(index, tree, wanted));
      // Counted before the question is asked: what is read meanwhile may not be in its answer.
      const indexing = index.upToDate(generation) ? undefined : share(index, tree, wanted);
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
      const { files, chunks } = index.state;
      return {
        ...answer,
        index: { files, chunks, fresh: fresh && indexing === undefined },
        ...(indexing === undefined ? {} : { indexing }),
      };
    },
    async build(tree, signal, progress) {
      await tree.refresh();
      const index = indexOf(tree);
      await unlessAborted(signal, index.open(tree));
      await stoppedBy(signal, index, index.update(undefined, progress));
      // What changed after a catch-up began that was joined.
      if (index.pending().length > 0) await stoppedBy(signal, index, index.update());
    },
    async settled(tree) {
      await indexes.get(tree.root)?.settled();
    },
    async close() {
      for (const index of indexes.values()) index.close();
      await threads.stop();
    },
  };
}

/** Which files a question is about. */
function wantedBy({ text, like, filter }: MeaningSearch): Wanted {
  const { words } = readQuery(text ?? '');
  if (filter.below === '' && filter.globs.length === 0 && filter.language === undefined) return { words };
  const test = pathFilter(filter);
  return { words, accept: (path) => test(path) || path === like?.path };
}

/** How much of what a question is about has been read; undefined for all of it. */
function share(index: MeaningIndex, tree: SourceTree, { accept }: Wanted): MeaningResult['indexing'] {
  const pending = index.pending(accept).length;
  if (pending === 0) return undefined;
  let of = 0;
  for (const file of tree.files.values()) if (!file.hidden && accept?.(file.path) !== false) of++;
  const { secondsLeft } = index;
  return { files: of - pending, of, ...(secondsLeft === undefined ? {} : { seconds_left: secondsLeft }) };
}

/** Waits for work on an index, and ends it when the caller gives up. */
async function stoppedBy(signal: AbortSignal, index: MeaningIndex, work: Promise<void>): Promise<void> {
  const stop = () => index.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await unlessAborted(signal, work);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
