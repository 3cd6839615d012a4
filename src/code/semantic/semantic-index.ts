import { join } from 'node:path';
import { errorText } from '../../contract/errors.ts';
import type { EmbedderChoice } from '../embed/open-embedder.ts';
import type { SourceFile, SourceTree } from '../files/source-tree.ts';
import { type BuildOptions, buildBatches } from './build-batches.ts';
import { ChangedFiles } from './changed-files.ts';
import { type Batch, FileQueue, type Wanted } from './file-queue.ts';
import {
  emptyManifest,
  type Manifest,
  readManifest,
  sweepFolder,
  writeManifest,
} from './semantic-manifest.ts';
import { withBatch, withoutFiles } from './semantic-manifest-change.ts';
import type { KnownFile } from './semantic-searcher.ts';
import type { SemanticThreads } from './semantic-threads.ts';
import { deferred, type OnProgress, Pace } from './update-pace.ts';

/** Up to this many files are cut along syntax at once; more wait for a second pass after the first answer. */
const SYNTAX_AT_ONCE = 100;
/** Larger trees stay cut by structure, because the grammars read only some megabytes per second. */
const SYNTAX_BYTES = 100_000_000;
/** With more segments than this everything is rebuilt, which takes minutes for a large tree. */
const MAX_SEGMENTS = 64;

export interface SemanticIndexOptions {
  readonly folder: string;
  readonly threads: SemanticThreads;
  readonly embedder: EmbedderChoice;
  /** The model that the vectors must come from. */
  readonly model: string;
  readonly log: (line: string) => void;
}

/** The semantic index of one source tree: what it has, what is missing, and how it catches up. */
export class SemanticIndex {
  #tree: SourceTree;
  readonly #options: SemanticIndexOptions;
  #manifest: Manifest;
  #known: Readonly<Record<string, KnownFile>> = {};
  #files = 0;
  #chunks = 0;
  #bytes = 0;
  #opened: Promise<void> | undefined;
  #updating: Promise<void> | undefined;
  #refining: Promise<void> | undefined;
  #first = deferred();
  readonly #pace = new Pace();
  /** What the running update has not read yet. */
  #queue = new FileQueue([]);
  readonly #hurrying = new Set<Promise<void>>();
  /** Files that are being read or are queued, as they were when they were queued. */
  readonly #queued = new Map<string, SourceFile>();
  readonly #hurried = new Map<string, SourceFile>();
  readonly #changed = new ChangedFiles();
  /** The generation of the tree that is completely indexed. */
  #current: number | undefined;
  #closed = false;

  constructor(tree: SourceTree, options: SemanticIndexOptions) {
    this.#tree = tree;
    this.#options = options;
    this.#manifest = emptyManifest(options.model);
  }

  get state(): { files: number; chunks: number; bytes: number; segments: number; syntax: boolean } {
    const { segments, syntax } = this.#manifest;
    return {
      files: this.#files,
      chunks: this.#chunks,
      bytes: this.#bytes,
      segments: segments.length,
      syntax,
    };
  }

  /** Why files are not in the index. */
  get skipped(): Manifest['skipped'] {
    return this.#manifest.skipped;
  }

  /** Loads what an earlier process stored; if anything is wrong with it, the index starts over. */
  open(tree: SourceTree): Promise<void> {
    if (tree !== this.#tree || this.#opened === undefined) this.#changed.follow(tree);
    // Another tree object counts its generations from the start.
    if (tree !== this.#tree) this.#current = undefined;
    this.#tree = tree;
    this.#opened ??= this.#load();
    return this.#opened;
  }

  /** The accepted files that are not in the index as they are now. */
  pending(accept?: Wanted['accept']): SourceFile[] {
    const { touched, skipped } = this.#manifest;
    const found: SourceFile[] = [];
    for (const file of this.#tree.files.values()) {
      if (file.hidden || accept?.(file.path) === false) continue;
      const stamp = touched[file.path] ?? skipped[file.path]?.stamp ?? this.#known[file.path]?.stamp;
      const same = stamp !== undefined && stamp[0] === file.size && stamp[1] === file.mtimeMs;
      if (!same || this.#changed.has(file.path)) found.push(file);
    }
    return found;
  }

  /** Seconds until all files are read, at the current pace. */
  get secondsLeft(): number | undefined {
    return this.#pace.secondsLeft;
  }

  get updating(): boolean {
    return this.#updating !== undefined;
  }

  /** Reads what is pending, wanted files first; joins a running update. */
  update(wanted?: Wanted, progress?: OnProgress): Promise<void> {
    if (this.#updating !== undefined) {
      if (wanted !== undefined) this.#hurry(wanted);
    } else {
      this.#updating = this.#catchUp(wanted).finally(() => {
        this.#updating = undefined;
        this.#pace.end();
      });
    }
    return progress === undefined ? this.#updating : this.#pace.during(this.#updating, progress);
  }

  /** Resolves when the next files were read, or all work has ended. */
  get progressed(): Promise<void> {
    return this.#pace.next;
  }

  /** Stops reading; the rest is read at the next search. */
  stop(): void {
    this.#queue.clear();
    this.#queued.clear();
  }

  /** Whether nothing was pending at this generation of the tree, so that a search need not check further. */
  upToDate(generation: number): boolean {
    if (this.#current === generation) return true;
    if (this.#updating !== undefined || this.pending().length > 0 || this.removed().length > 0) return false;
    this.#current = generation;
    return true;
  }

  /** Resolves when some files can be searched. */
  get searchable(): Promise<void> {
    return this.#first.promise;
  }

  /** Resolves when all work has ended, including the pass by syntax. */
  async settled(): Promise<void> {
    while (this.#updating !== undefined || this.#refining !== undefined || this.#hurrying.size > 0) {
      await this.#updating;
      await this.#refining;
      await Promise.all(this.#hurrying);
    }
  }

  close(): void {
    this.#closed = true;
    this.#changed.close();
    this.stop();
  }

  async #load(): Promise<void> {
    const { folder, model, log, threads, embedder } = this.#options;
    const kept = readManifest(folder);
    if (kept !== undefined && kept.model === model) this.#manifest = kept;
    // Not awaited, so that the thread opens the model while files are read.
    else threads.search.call('warm', embedder).catch(() => {});
    try {
      if (this.#manifest.segments.length > 0) await this.reload();
    } catch (error) {
      log(`code index ${folder} is rebuilt: ${errorText(error)}`);
      this.#manifest = emptyManifest(model);
    }
    sweepFolder(folder, this.#manifest);
  }

  /** Loads the current segments in the search thread. */
  async reload(): Promise<void> {
    const { folder, threads, embedder } = this.#options;
    const { segments, gone } = this.#manifest;
    const files = segments.map((name) => join(folder, name));
    const report = await threads.search.call('load', { root: this.#tree.root, files, gone, embedder });
    this.#known = report.files;
    this.#files = Object.keys(report.files).length;
    this.#chunks = report.chunks;
    this.#bytes = report.bytes;
    if (segments.length > 0) this.#first.resolve();
  }

  async #catchUp(wanted: Wanted | undefined): Promise<void> {
    const pending = this.pending();
    const removed = this.removed();
    const forget = new Set([
      ...removed,
      ...Object.keys(this.#manifest.skipped).filter((path) => !this.#tree.files.has(path)),
    ]);
    if (forget.size > 0) this.#manifest = withoutFiles(this.#manifest, forget, removed);
    this.#queue = new FileQueue(pending, wanted);
    for (const file of pending) this.#queued.set(file.path, file);
    this.#pace.begin(pending.length);
    try {
      const threads = this.#options.threads.index.slice(0, Math.max(1, this.#queue.width));
      await this.#read(() => this.#queue.next(), { syntax: pending.length <= SYNTAX_AT_ONCE, threads });
    } finally {
      this.#queued.clear();
    }
    if (pending.length === 0 && forget.size > 0) await this.#commit();
    this.#first.resolve();
    const large = this.#manifest.segments.length > MAX_SEGMENTS;
    if (!this.#closed && (large || !this.#manifest.syntax) && this.#refining === undefined) {
      this.#refining = this.#refine(large).finally(() => {
        this.#refining = undefined;
      });
    }
  }

  /** Reads at once what a search waits for, beside an update that may take long. */
  #hurry(wanted: Wanted): void {
    this.#queue.prefer(wanted);
    const isComing = (file: SourceFile) =>
      this.#hurried.get(file.path) === file ||
      (wanted.accept === undefined && this.#queued.get(file.path) === file);
    const files = this.pending(wanted.accept).filter((file) => !isComing(file));
    if (files.length === 0) return;
    const queue = new FileQueue(files, wanted);
    const next = (): Batch | undefined => {
      const batch = queue.next();
      // Later files come with the update, which now reads the same files first.
      if (batch?.urgent !== true) return undefined;
      this.#queue.drop(batch.files);
      for (const file of batch.files) this.#hurried.set(file.path, file);
      return batch;
    };
    const threads = this.#options.threads.index.slice(0, Math.max(1, queue.width));
    const reading = this.#read(next, { syntax: false, threads })
      .catch((error: unknown) => this.#options.log(`code index of ${this.#tree.root}: ${String(error)}`))
      .finally(() => {
        this.#hurrying.delete(reading);
        for (const file of files) this.#hurried.delete(file.path);
      });
    this.#hurrying.add(reading);
  }

  /** Indexes batches. */
  #read(next: () => Batch | undefined, how: Pick<BuildOptions, 'syntax' | 'threads'>): Promise<void> {
    const { folder, embedder } = this.#options;
    const done: BuildOptions['done'] = async (result) => {
      this.#manifest = withBatch(this.#manifest, result, how.syntax);
      await this.#commit();
      this.#changed.read(result.batch);
      this.#pace.add(result.batch.length);
    };
    return buildBatches(next, { root: this.#tree.root, folder, embedder, known: this.#known, done, ...how });
  }

  /** Indexed paths that the tree no longer has, or has only as hidden files. */
  removed(): string[] {
    return Object.keys(this.#known).filter((path) => this.#tree.files.get(path)?.hidden !== false);
  }

  /** Rebuilds everything along syntax, on one thread, and replaces the index with it. */
  async #refine(always: boolean): Promise<void> {
    const files = [...this.#tree.files.values()].filter(({ hidden }) => !hidden);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const { folder, embedder, threads, model, log } = this.#options;
    if (bytes > SYNTAX_BYTES && !always) return;
    const syntax = bytes <= SYNTAX_BYTES;
    let fresh: Manifest = { ...emptyManifest(model), syntax };
    this.#changed.remember();
    try {
      const queue = new FileQueue(files);
      await buildBatches(() => (this.#closed ? undefined : queue.next()), {
        root: this.#tree.root,
        folder,
        embedder,
        threads: threads.index.slice(-1),
        syntax,
        done: async (result) => {
          fresh = withBatch(fresh, result, syntax);
        },
      });
      if (this.#closed) return;
      await this.#updating;
      await Promise.all(this.#hurrying);
      // What changed in the meantime is pending again.
      this.#changed.recall();
      this.#manifest = { ...fresh, syntax };
      this.#current = undefined;
      await this.#commit();
      sweepFolder(folder, this.#manifest);
    } catch (error) {
      if (!this.#closed) log(`code index of ${this.#tree.root}: ${errorText(error)}`);
    }
  }

  async #commit(): Promise<void> {
    writeManifest(this.#options.folder, this.#manifest);
    await this.reload();
  }
}
