import { join } from 'node:path';
import { unlessAborted } from '../../contract/abort.ts';
import { errorText } from '../../contract/errors.ts';
import { Lru } from '../../contract/lru.ts';
import type { JobContext, JobReport, Jobs } from '../../jobs/jobs.ts';
import { Thread } from '../../threads/thread.ts';
import type { SourceTree } from '../files/source-tree.ts';
import { rootId } from '../indexed-tree.ts';
import type { OnProgress } from '../semantic/update-pace.ts';
import type { FileSymbols } from './file-symbols.ts';
import { readSource } from './source-text.ts';
import { SymbolIndex } from './symbol-index.ts';
import type { SymbolMethods } from './symbol-index.worker.ts';

/** A file with what its syntax says, both from the same moment. */
export interface ParsedFile {
  readonly text: string;
  readonly symbols: FileSymbols;
}

/** Definitions and references of source trees. */
export interface Symbols {
  /** The symbols of a file as it is now; undefined if it is gone, holds no text or has no grammar. */
  inFile(tree: SourceTree, path: string, signal: AbortSignal): Promise<FileSymbols | undefined>;
  /** The same with the text that was parsed. */
  parsed(tree: SourceTree, path: string, signal: AbortSignal): Promise<ParsedFile | undefined>;
  /** Resolves when every file of the tree is stored. */
  build(tree: SourceTree, signal: AbortSignal, progress?: OnProgress): Promise<void>;
  /** Resolves when nothing of the tree is being stored. */
  settled(tree: SourceTree): Promise<void>;
  /** Closes the database of a tree. */
  release(root: string): void;
  close(): Promise<void>;
}

export interface SymbolsOptions {
  readonly jobs: Jobs;
  /** The data folder. */
  readonly home: string;
  readonly log: (line: string) => void;
}

export const SYMBOL_JOB = 'code-symbols';
const THREADS = 2;
const IDLE_MS = 60_000;
/** Files whose symbols stay in memory, and how much text they may have together. */
const KEPT = { most: 64, characters: 4_000_000 };

/** The database of a tree. */
export function symbolFile(home: string, root: string): string {
  return join(home, 'code', rootId(root), 'symbols.db');
}

/** Opens the symbols. Call it before `jobs.recover`, because it registers a kind of job. */
export function openSymbols({ jobs, home, log }: SymbolsOptions): Symbols {
  const threads = Array.from(
    { length: THREADS },
    () =>
      new Thread<SymbolMethods>(new URL('./symbol-index.worker.ts', import.meta.url), { idleMs: IDLE_MS }),
  );
  const indexes = new Map<string, SymbolIndex>();
  const parsedFiles = new Lru<string, ParsedFile & { readonly hash: string }>({
    most: KEPT.most,
    weight: { of: ({ text }) => text.length, most: KEPT.characters },
  });
  const closing = new Set<Promise<void>>();
  let turn = 0;

  const indexOf = async (tree: SourceTree): Promise<SymbolIndex> => {
    let index = indexes.get(tree.root);
    if (index === undefined) {
      // An index of the same tree that is being closed has the file open.
      await Promise.all(closing);
      index =
        indexes.get(tree.root) ?? new SymbolIndex(tree, { file: symbolFile(home, tree.root), threads, log });
      indexes.set(tree.root, index);
    }
    await index.open(tree);
    return index;
  };

  jobs.register({
    name: SYMBOL_JOB,
    afterRestart: 'fail',
    async run({ params, signal, progress }: JobContext): Promise<JobReport> {
      const index = indexes.get(String(params.root));
      await index?.update(signal, (done, total) =>
        progress({ done, total, unit: 'files', phase: 'parsing' }),
      );
      return {};
    },
  });

  const parsed: Symbols['parsed'] = async (tree, path, signal) => {
    const source = readSource(tree.root, path);
    if (source?.text === undefined) return undefined;
    const key = `${tree.root}\0${path}`;
    const known = parsedFiles.get(key);
    if (known?.hash === source.stamp.hash) return known;
    const { text } = source;
    const index = await unlessAborted(signal, indexOf(tree));
    const stored =
      index.stampOf(path)?.hash === source.stamp.hash
        ? await index.rows.fileSymbols(path).catch((error: unknown) => {
            log(`symbols of ${tree.root}: ${errorText(error)}`);
            return undefined;
          })
        : undefined;
    const thread = threads[turn++ % threads.length] ?? threads[0];
    const symbols = stored ?? (await thread?.call('parse', { path, text }, { signal }));
    if (symbols === undefined) return undefined;
    const file = { text, symbols, hash: source.stamp.hash };
    parsedFiles.set(key, file);
    return file;
  };

  return {
    parsed,
    inFile: async (tree, path, signal) => (await parsed(tree, path, signal))?.symbols,
    async build(tree, signal, progress) {
      await tree.refresh();
      const index = await unlessAborted(signal, indexOf(tree));
      await index.update(signal, progress);
      // Files that changed after the start of an update that was joined.
      if (index.pending().length > 0) await index.update(signal);
    },
    async settled(tree) {
      await indexes.get(tree.root)?.settled();
    },
    release(root) {
      const index = indexes.get(root);
      indexes.delete(root);
      if (index === undefined) return;
      const closed = index.close().finally(() => closing.delete(closed));
      closing.add(closed);
    },
    async close() {
      await Promise.all([...indexes.values()].map((index) => index.close()));
      await Promise.all(closing);
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}
