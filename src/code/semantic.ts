import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unlessAborted } from '../contract/abort.ts';
import { fail } from '../contract/errors.ts';
import type { JobContext, JobReport, Jobs } from '../jobs/jobs.ts';
import { type EmbedderChoice, embedderFromEnvironment, modelName } from './embed/open-embedder.ts';
import { type FileFilter, pathFilter } from './exact/file-filter.ts';
import { isLarge } from './files/build-gate.ts';
import { otherCheckouts } from './files/checkouts.ts';
import type { SourceTree } from './files/source-tree.ts';
import { rootId } from './indexed-tree.ts';
import { readQuery } from './rank/read-query.ts';
import { askPlaces, type FoundPlace, type PlacesFile } from './semantic/ask-places.ts';
import type { Wanted } from './semantic/file-queue.ts';
import { likelyFiles } from './semantic/likely-files.ts';
import type { SemanticAnswer, SemanticQuestion } from './semantic/semantic-answer.ts';
import { SemanticIndex } from './semantic/semantic-index.ts';
import type { PlacesQuestion } from './semantic/semantic-places.ts';
import { createThreads } from './semantic/semantic-threads.ts';
import type { OnProgress } from './semantic/update-pace.ts';

/** A query about the files of a tree. */
export type SemanticQuery = Omit<SemanticQuestion, 'root' | 'embedder'>;

/** An answer, and how complete it is. */
export interface SemanticResult extends SemanticAnswer {
  readonly index: { readonly files: number; readonly chunks: number; readonly fresh: boolean };
  /** How many of the files in question have been read, if not all. */
  readonly indexing?: { readonly files: number; readonly of: number; readonly seconds_left?: number };
}

/** Search by meaning. */
export interface Semantic {
  /**
   * Searches the files as they are now; in a large tree that is being indexed, the files that have been read so far.
   */
  search(tree: SourceTree, search: SemanticQuery, signal: AbortSignal): Promise<SemanticResult>;
  /** The definitions of some files that answer a question, best first; none if the index was dropped since. */
  places(
    question: Omit<PlacesQuestion, 'embedder' | 'files'> & { readonly files: readonly PlacesFile[] },
    signal: AbortSignal,
  ): Promise<readonly FoundPlace[]>;
  /** Resolves when every file of the tree is indexed. */
  build(tree: SourceTree, signal: AbortSignal, progress?: OnProgress): Promise<void>;
  /** Resolves when no work on the tree is left, including the second pass after the first answers. */
  settled(tree: SourceTree): Promise<void>;
  /** Frees the memory of a tree's index; the files of the index stay. */
  release(root: string): void;
  close(): Promise<void>;
}

export interface SemanticOptions {
  readonly jobs: Jobs;
  /** The data folder. */
  readonly home: string;
  readonly log: (line: string) => void;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Finds files by their text; without it, files are read in the order of their names. */
  readonly filesContaining?:
    | ((
        tree: SourceTree,
        filter: FileFilter,
        word: string,
        signal: AbortSignal,
      ) => Promise<readonly string[]>)
    | undefined;
  /**
   * How long a search waits, from its start, for many or few files that are not indexed yet, and how long if nothing at
   * all can be searched.
   */
  readonly waitMs?: { readonly many: number; readonly few: number; readonly any?: number };
}

const SEMANTIC_JOB = 'code-semantic';
const WAIT_MS = { many: 3_000, few: 10_000, any: 10_000 };
/** A search waits for this many files, since they are read within seconds. */
const FEW_FILES = 400;
/** Reading more files than this becomes a job, which people can watch. */
const JOB_FILES = 500;

/** Opens semantic search. Call it before `jobs.recover`, because it registers a kind of job. */
export function openSemantic(deps: SemanticOptions): Semantic {
  const { jobs, log } = deps;
  const embedder: EmbedderChoice = embedderFromEnvironment(deps.env ?? {});
  const model = modelName(embedder);
  const threads = createThreads();
  /** By root; an index is released together with its tree. */
  const indexes = new Map<string, SemanticIndex>();

  const indexOf = (tree: SourceTree): SemanticIndex => {
    const known = indexes.get(tree.root);
    if (known !== undefined) return known;
    const folderOf = (root: string) => join(deps.home, 'code', rootId(root), 'semantic');
    const others = () => otherCheckouts(tree.root).map(folderOf);
    const options = { folder: folderOf(tree.root), others, threads, embedder, model, log };
    const index = new SemanticIndex(tree, options);
    indexes.set(tree.root, index);
    return index;
  };

  jobs.register({
    name: SEMANTIC_JOB,
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

  /** Reads the files that a search needs, or as many as time allows. */
  const catchUp = async (
    index: SemanticIndex,
    tree: SourceTree,
    wanted: Wanted,
    began: number,
  ): Promise<void> => {
    const removed = !index.updating && index.removed().length > 0;
    const pending = index.countPending();
    const update = index.update(wanted);
    // The search that waits for it reports a failure, but it may have stopped waiting by then.
    update.catch((error: unknown) => log(`code index of ${tree.root}: ${String(error)}`));
    if (pending > JOB_FILES) {
      jobs.start(SEMANTIC_JOB, tree.root, { root: tree.root }).catch((error: unknown) => log(String(error)));
    }
    const { many, few, any } = { ...WAIT_MS, ...deps.waitMs };
    const until = (ms: number) => delay(ms, undefined, { ref: false });
    const atFirst = index.countPending(wanted.accept);
    while (index.updating) {
      const asked = index.countPending(wanted.accept);
      // Even if there are many files, some are waited for, because an answer from almost nothing does not help.
      const isMany = asked > FEW_FILES && asked < atFirst;
      const left = began + (isMany ? many : few) - performance.now();
      if (left <= 0 || (asked === 0 && !removed)) break;
      await Promise.race([update, index.progressed, until(left)]);
    }
    // On a busy machine even the first files may take a while; that nothing has been read is an answer too.
    await Promise.race([update, index.searchable, until(Math.max(0, began + any - performance.now()))]);
  };

  /** Which files contain words of the question, if many have not been read yet. */
  const likelyFor = async (
    index: SemanticIndex,
    tree: SourceTree,
    { filter }: SemanticQuery,
    { words, accept }: Wanted,
    signal: AbortSignal,
  ): Promise<Wanted['likely']> => {
    const { filesContaining } = deps;
    if (filesContaining === undefined || index.countPending(accept) <= FEW_FILES) return undefined;
    const asked = { ...filter, hidden: false };
    return likelyFiles(words, (word, stop) => filesContaining(tree, asked, word, stop), signal);
  };

  return {
    async search(tree, search, signal) {
      const began = performance.now();
      const index = indexOf(tree);
      index.warm();
      const { fresh, generation } = await tree.refresh(signal);
      await unlessAborted(signal, index.open(tree));
      const wanted = wantedBy(search);
      if (!index.upToDate(generation)) {
        const likely = await likelyFor(index, tree, search, wanted, signal);
        await unlessAborted(signal, catchUp(index, tree, { ...wanted, likely }, began));
      }
      // Counted before the search, because files that are read during it may not be in its answer.
      const indexing = index.upToDate(generation) ? undefined : share(index, tree, wanted);
      const question: SemanticQuestion = { ...search, root: tree.root, embedder };
      let answer = await unlessAborted(signal, threads.search.call('ask', question));
      if (answer === 'not loaded') {
        // The thread ended because it was idle; what it knew is in files.
        await unlessAborted(signal, index.reload());
        answer = await unlessAborted(signal, threads.search.call('ask', question));
      }
      if (typeof answer === 'string') {
        fail(
          'not_found',
          'No code is indexed at that path and line. Give the path of a source file and a line in it.',
        );
      }
      const { files, chunks } = index.state;
      return {
        ...answer,
        index: { files, chunks, fresh: fresh && indexing === undefined },
        ...(indexing === undefined ? {} : { indexing }),
      };
    },
    places: (question, signal) =>
      askPlaces({ ...question, embedder }, (asked) =>
        unlessAborted(signal, threads.search.call('places', asked)),
      ),
    async build(tree, signal, progress) {
      await tree.refresh();
      const index = indexOf(tree);
      await unlessAborted(signal, index.open(tree));
      await stoppedBy(signal, index, index.update(undefined, progress));
      // Files that changed after the update that was joined had started.
      if (index.countPending() > 0) await stoppedBy(signal, index, index.update());
      // Symbols come next, and both together would take too much memory.
      if (isLarge(tree)) await unlessAborted(signal, index.settled());
    },
    async settled(tree) {
      await indexes.get(tree.root)?.settled();
    },
    release(root) {
      indexes.get(root)?.close();
      if (indexes.delete(root)) void threads.search.call('unload', { root }).catch(() => {});
    },
    async close() {
      for (const index of indexes.values()) index.close();
      await threads.stop();
    },
  };
}

/** Which files a search needs. */
function wantedBy({ text, like, filter }: SemanticQuery): Wanted {
  const { words } = readQuery(text ?? '');
  if (filter.below === '' && filter.globs.length === 0 && filter.language === undefined) return { words };
  const test = pathFilter(filter);
  return { words, accept: (path) => test(path) || path === like?.path };
}

/** How many of the files that a search needs have been read; undefined if all have. */
function share(index: SemanticIndex, tree: SourceTree, { accept }: Wanted): SemanticResult['indexing'] {
  const pending = index.countPending(accept);
  if (pending === 0) return undefined;
  let of = 0;
  const { files } = tree;
  for (let number = 0; number < files.paths.length; number++)
    if (files.isShown(number) && accept?.(files.paths.path(number)) !== false) of++;
  const { secondsLeft } = index;
  return { files: of - pending, of, ...(secondsLeft === undefined ? {} : { seconds_left: secondsLeft }) };
}

/** Waits for work on an index, and stops it if the caller gives up. */
async function stoppedBy(signal: AbortSignal, index: SemanticIndex, work: Promise<void>): Promise<void> {
  const stop = () => index.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await unlessAborted(signal, work);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
