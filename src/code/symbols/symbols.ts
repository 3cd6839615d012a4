import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { unlessAborted } from '../../contract/abort.ts';
import { errorText } from '../../contract/errors.ts';
import { pathOnDisk } from '../../contract/file-name.ts';
import { Lru } from '../../contract/lru.ts';
import type { JobContext, JobReport, Jobs } from '../../jobs/jobs.ts';
import type { SqlDatabase } from '../../store/sql-table.ts';
import { threadCount } from '../../threads/scarce-memory.ts';
import { Thread } from '../../threads/thread.ts';
import { buildGate, isLarge } from '../files/build-gate.ts';
import { otherCheckouts } from '../files/checkouts.ts';
import type { SourceTree } from '../files/source-tree.ts';
import type { OnProgress } from '../semantic/update-pace.ts';
import { type FileShape, shapeOf } from './file-shape.ts';
import { filesHolding, isByFiles, likelyFirst, neighbours } from './needed-files.ts';
import { QuestionFiles } from './resolve/question-files.ts';
import { SymbolReferences } from './resolve/symbol-references.ts';
import { readSource, type SourceText } from './source-text.ts';
import { symbolDatabases, symbolFile } from './symbol-databases.ts';
import { SymbolIndex, sameStamp } from './symbol-index.ts';
import type { SymbolMethods } from './symbol-index.worker.ts';
import type { ParsedFile, SymbolAnswer, SymbolNeed, SymbolQuestion } from './symbol-question.ts';
import type { SymbolRows } from './symbol-rows.ts';
import type { FileStamp } from './symbol-writer.ts';

interface StampedFile extends ParsedFile {
  readonly stamp: FileStamp;
}

/** Definitions and references of source trees. */
export interface Symbols {
  /**
   * Asks about the files as they are now. The files that the question needs are parsed first; if one of them changed in
   * the meantime, the question is asked again.
   */
  ask<T>(
    tree: SourceTree,
    need: SymbolNeed,
    signal: AbortSignal,
    work: (question: SymbolQuestion) => Promise<T>,
  ): Promise<SymbolAnswer<T>>;
  /** The databases of the trees in or around these folders, brought up to date, those of `named` folders first. */
  databases(roots: readonly string[], signal: AbortSignal, named?: readonly string[]): Promise<DatabaseList>;
  /**
   * What the lines of a file, or of a text of it, are now; undefined if it was deleted, contains no text or has no
   * grammar.
   */
  inFile(tree: SourceTree, path: string, signal: AbortSignal): Promise<FileShape | undefined>;
  inText(path: string, text: string, signal: AbortSignal): Promise<FileShape | undefined>;
  /** All symbols of a file with the text that was parsed. */
  parsed(tree: SourceTree, path: string, signal: AbortSignal): Promise<ParsedFile | undefined>;
  /** Resolves when every file of the tree is stored. */
  build(tree: SourceTree, signal: AbortSignal, progress?: OnProgress): Promise<void>;
  /** Resolves when nothing in the tree is being stored. */
  settled(tree: SourceTree): Promise<void>;
  /** Closes the database of a tree. */
  release(root: string): void;
  close(): Promise<void>;
}

type DatabaseList = readonly SqlDatabase[];

export interface SymbolsOptions {
  readonly jobs: Jobs;
  /** Finds the files that contain a word. */
  readonly filesWith: (tree: SourceTree, word: string, signal: AbortSignal) => AsyncIterable<string>;
  /** The open tree of a root. */
  readonly treeAt: (root: string) => SourceTree;
  /** The data folder. */
  readonly home: string;
  readonly log: (line: string) => void;
}

const SYMBOL_JOB = 'code-symbols';
const THREADS = 2;
const IDLE_MS = 60_000;
/** Parsing makes many short-lived objects; without a limit, V8 lets twice what is in use pile up. */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 };
/**
 * How long a question waits for files that are not parsed yet, including the search for those with its name; parsing
 * gets at least the second.
 */
const [WAIT_MS, MIN_WAIT_MS] = [8_000, 2_000];
/** Up to this many files are all parsed; of more, those that contain the name. */
const FEW_FILES = 200;
/** Parsing more files than this becomes a job, which people can watch. */
const JOB_FILES = 500;
/** A tree that changes all the time is asked this many times; then what was found is the answer. */
const ATTEMPTS = 4;
/** Files whose symbols stay in memory, and how much text they may have together. */
const PARSED_IN_MEMORY = { most: 500, characters: 4_000_000 };
/** Definitions and comments in files whose shape is kept: a page of hits asks about a hundred files. */
const KEPT_PLACES = 100_000;

function isDamage(error: unknown): boolean {
  return /malformed|not a database|corrupt|no such (?:table|column)|disk I\/O/i.test(errorText(error));
}

/** Opens the symbols. Call it before `jobs.recover`, because it registers a kind of job. */
export function openSymbols({ jobs, home, log, filesWith, treeAt }: SymbolsOptions): Symbols {
  const threads = Array.from(
    { length: threadCount(THREADS) },
    () =>
      new Thread<SymbolMethods>(new URL('./symbol-index.worker.ts', import.meta.url), {
        idleMs: IDLE_MS,
        limits: HEAP_LIMITS,
      }),
  );
  const indexes = new Map<string, SymbolIndex>();
  const parsedFiles = new Lru<string, StampedFile>({
    most: PARSED_IN_MEMORY.most,
    weight: { of: ({ text }) => text.length, most: PARSED_IN_MEMORY.characters },
  });
  const shapes = new Lru<string, { readonly shape: FileShape; readonly stamp: FileStamp }>({
    weight: {
      of: ({ shape }) => 10 + shape.definitions.length + shape.comments.length,
      most: KEPT_PLACES,
    },
  });
  const closing = new Set<Promise<void>>();
  // While a large tree is read, one thread answers questions; the others hold grammars that nothing uses.
  const stayAwake = buildGate.beforeSteps(() => {
    for (const thread of threads.slice(1)) if (!thread.busy) void thread.stop();
  });
  let turn = 0;

  const indexOf = async (tree: SourceTree): Promise<SymbolIndex> => {
    let index = indexes.get(tree.root);
    if (index === undefined) {
      // An index of the same tree that is being closed has the file open.
      await Promise.all(closing);
      index =
        indexes.get(tree.root) ??
        new SymbolIndex(tree, {
          file: symbolFile(home, tree.root),
          others: () => otherCheckouts(tree.root).map((other) => symbolFile(home, other)),
          threads,
          log,
        });
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

  /** What is stored about a file that has not changed since. */
  const stored = async <T>(
    tree: SourceTree,
    path: string,
    { stamp: { hash } }: SourceText,
    signal: AbortSignal,
    read: (rows: SymbolRows) => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const index = await unlessAborted(signal, indexOf(tree));
    if (index.hashOf(path) !== hash) return undefined;
    return read(index.rows).catch((error: unknown) => {
      log(`symbols of ${tree.root}: ${errorText(error)}`);
      return undefined;
    });
  };

  const parse = async (path: string, text: string, signal: AbortSignal, tree?: SourceTree) => {
    // Each thread takes 50 MB for its grammars, and a large tree needs that memory for its files.
    const few = tree !== undefined && isLarge(tree) ? 1 : threads.length;
    return (threads[turn++ % few] ?? threads[0])?.call('parse', { path, text }, { signal });
  };

  const shapeOfText = (path: string, text: string, signal: AbortSignal, tree?: SourceTree) =>
    parse(path, text, signal, tree).then((symbols) => symbols && shapeOf(symbols));

  const parsed = async (
    tree: SourceTree,
    path: string,
    signal: AbortSignal,
  ): Promise<StampedFile | undefined> => {
    const source = readSource(tree.root, path);
    if (source?.text === undefined) return undefined;
    const key = `${tree.root}\0${path}`;
    const known = parsedFiles.get(key);
    const { text, stamp } = source;
    if (known?.stamp.hash === stamp.hash) return { ...known, stamp };
    const symbols =
      (await stored(tree, path, source, signal, (rows) => rows.fileSymbols(path))) ??
      (await parse(path, text, signal, tree));
    if (symbols === undefined) return undefined;
    const file = { text, symbols, stamp };
    parsedFiles.set(key, file);
    return file;
  };

  const inFile: Symbols['inFile'] = async (tree, path, signal) => {
    const key = `${tree.root}\0${path}`;
    const seen = shapes.get(key);
    // A stat of the file costs a fifth of reading it.
    const stats = seen && lstatSync(pathOnDisk(join(tree.root, path)), { throwIfNoEntry: false });
    if (seen !== undefined && stats?.isFile() && sameStamp(seen.stamp, stats)) return seen.shape;
    const source = readSource(tree.root, path);
    if (source?.text === undefined) return undefined;
    const shape =
      (await stored(tree, path, source, signal, (rows) => rows.fileShape(path))) ??
      (await shapeOfText(path, source.text, signal, tree));
    if (shape !== undefined) shapes.set(key, { shape, stamp: source.stamp });
    return shape;
  };

  /** Continues with what the question did not need, so that the next one finds it. */
  const goOn = (index: SymbolIndex, tree: SourceTree): void => {
    const failed = (error: unknown) => log(`symbols of ${tree.root}: ${errorText(error)}`);
    if (index.countPending() > JOB_FILES)
      jobs.start(SYMBOL_JOB, tree.root, { root: tree.root }).catch(failed);
    else index.update(new AbortController().signal).catch(failed);
  };

  /** Parses the files that a question needs, or as many as time allows. Returns how many are missing. */
  const catchUp = async (index: SymbolIndex, tree: SourceTree, need: SymbolNeed, signal: AbortSignal) => {
    const needed = index.pending('files' in need ? need.files : undefined);
    const of = 'files' in need ? [...tree.files.keys()].filter(need.files).length : tree.files.size;
    if ('name' in need && needed.length > FEW_FILES) {
      const end = performance.now() + WAIT_MS;
      const near = index.pending(need.near);
      if (near.length <= FEW_FILES) await index.ensure(near, WAIT_MS / 2, signal);
      const find = (word: string) => filesWith(tree, word, signal);
      const { paths, withOwner, isCut } = await filesHolding(need, find, end - WAIT_MS / 4);
      const wait = Math.max(MIN_WAIT_MS, end - performance.now());
      const left = await index.ensure(index.pendingAmong(likelyFirst(paths, withOwner)), wait, signal);
      const beside = index.pendingAmong(neighbours(paths, tree));
      await index.ensure(beside, end - performance.now(), signal);
      const pending = index.countPending();
      if (pending > 0) goOn(index, tree);
      // In other languages, what a name means may depend on files that neither contain it nor are named by those that
      // do.
      return !isCut && paths.every(isByFiles)
        ? { left, of: paths.length }
        : { left: Math.max(left, pending), of };
    }
    const left = await index.ensure(needed, WAIT_MS, signal);
    if (index.countPending() > 0) goOn(index, tree);
    return { left, of };
  };

  const ask: Symbols['ask'] = async (tree, need, signal, work) => {
    for (let attempt = 1; ; attempt++) {
      const { generation } = await tree.refresh(signal);
      const index = await unlessAborted(signal, indexOf(tree));
      const { left, of } = index.upToDate(generation)
        ? { left: 0, of: 0 }
        : await catchUp(index, tree, need, signal);
      const files = new QuestionFiles(tree, generation, index, signal);
      try {
        const references = new SymbolReferences(index, files);
        const value = await unlessAborted(signal, work({ rows: index.rows, files, references }));
        if (attempt < ATTEMPTS && !index.isCurrent(files.used)) continue;
        if (left === 0 && files.missed === 0) return { value };
        const { secondsLeft } = index;
        const time = secondsLeft === undefined ? {} : { seconds_left: secondsLeft };
        // Files that the question came across later are counted for the whole tree.
        const [missing, all] = left > 0 ? [left, of] : [index.countPending(), tree.files.size];
        return { value, indexing: { files: all - missing, of: all, ...time } };
      } catch (error) {
        if (attempt >= ATTEMPTS || !isDamage(error)) throw error;
        await index.reset(errorText(error));
      }
    }
  };

  return {
    ask,
    databases: (roots, signal, named = []) =>
      symbolDatabases({ home, roots, named, signal, treeAt, indexOf, goOn }),
    parsed,
    inFile,
    inText: shapeOfText,
    async build(tree, signal, progress) {
      await tree.refresh();
      const index = await unlessAborted(signal, indexOf(tree));
      await index.update(signal, progress);
      // Files that changed after the update that was joined had started.
      if (index.countPending() > 0) await index.update(signal);
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
      stayAwake();
      await Promise.all([...indexes.values()].map((index) => index.close()));
      await Promise.all(closing);
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}
