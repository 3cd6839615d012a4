import { join } from 'node:path';
import { errorText } from '../../contract/errors.ts';
import type { EmbedderChoice } from '../embed/open-embedder.ts';
import type { SourceFile, SourceTree } from '../files/source-tree.ts';
import { type BuildOptions, buildBatches, type OnProgress } from './build-batches.ts';
import { emptyManifest, type Manifest, readManifest, sweepFolder, writeManifest } from './manifest.ts';
import { type BatchResult, withBatch, withoutFiles } from './manifest-change.ts';
import type { KnownFile } from './searcher.ts';
import type { MeaningThreads } from './threads.ts';

/** Fewer files than this are cut along syntax at once; more wait for the pass behind the first answer. */
const SYNTAX_AT_ONCE = 100;
/** Larger trees stay cut by structure: the grammars read some megabytes a second. */
const SYNTAX_BYTES = 100_000_000;
/** More segments than this are joined by building anew. */
const MAX_SEGMENTS = 24;

export interface MeaningIndexOptions {
  readonly folder: string;
  readonly threads: MeaningThreads;
  readonly embedder: EmbedderChoice;
  /** The model that vectors must be of. */
  readonly model: string;
  readonly log: (line: string) => void;
}

/** The index of one source tree: what it has, what it lacks, and how it catches up. */
export class MeaningIndex {
  #tree: SourceTree;
  readonly #options: MeaningIndexOptions;
  #manifest: Manifest;
  #known: Readonly<Record<string, KnownFile>> = {};
  #files = 0;
  #chunks = 0;
  #bytes = 0;
  #opened: Promise<void> | undefined;
  #updating: Promise<void> | undefined;
  #refining: Promise<void> | undefined;
  #first = deferred();
  /** The generation of the tree that is in the index whole. */
  #current: number | undefined;
  #closed = false;

  constructor(tree: SourceTree, options: MeaningIndexOptions) {
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

  /** Loads what an earlier process left; anything wrong with it means starting over. */
  open(tree: SourceTree): Promise<void> {
    // Generations of another object count anew.
    if (tree !== this.#tree) this.#current = undefined;
    this.#tree = tree;
    this.#opened ??= this.#load();
    return this.#opened;
  }

  /** The files that are not in the index as they are now. */
  pending(): SourceFile[] {
    const { touched, skipped } = this.#manifest;
    const found: SourceFile[] = [];
    for (const file of this.#tree.files.values()) {
      if (file.hidden) continue;
      const stamp = touched[file.path] ?? skipped[file.path]?.stamp ?? this.#known[file.path]?.stamp;
      if (stamp === undefined || stamp[0] !== file.size || stamp[1] !== file.mtimeMs) found.push(file);
    }
    return found;
  }

  /** Reads what is pending; a catch-up that runs is joined. `words` say which files matter most now. */
  update(words: ReadonlySet<string> = new Set(), progress: OnProgress = () => {}): Promise<void> {
    this.#updating ??= this.#catchUp(words, progress).finally(() => {
      this.#updating = undefined;
    });
    return this.#updating;
  }

  /** True when nothing was pending at this generation of the tree: most searches need to look no further. */
  upToDate(generation: number): boolean {
    if (this.#current === generation) return true;
    if (this.#updating !== undefined || this.pending().length > 0 || this.#removed().length > 0) return false;
    this.#current = generation;
    return true;
  }

  /** Resolves when at least some files can be searched. */
  get searchable(): Promise<void> {
    return this.#first.promise;
  }

  /** Resolves when no work is under way, the pass by syntax included. */
  async settled(): Promise<void> {
    while (this.#updating !== undefined || this.#refining !== undefined) {
      await this.#updating;
      await this.#refining;
    }
  }

  close(): void {
    this.#closed = true;
  }

  async #load(): Promise<void> {
    const { folder, model, log, threads, embedder } = this.#options;
    const kept = readManifest(folder);
    if (kept !== undefined && kept.model === model) this.#manifest = kept;
    // Not awaited: the thread gets ready while files are read.
    else threads.search.call('warm', embedder).catch(() => {});
    try {
      if (this.#manifest.segments.length > 0) await this.reload();
    } catch (error) {
      log(`code index ${folder} is built anew: ${errorText(error)}`);
      this.#manifest = emptyManifest(model);
    }
    sweepFolder(folder, this.#manifest);
  }

  /** Tells the search thread which segments there are. */
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

  async #catchUp(words: ReadonlySet<string>, progress: OnProgress): Promise<void> {
    const pending = this.pending();
    const removed = this.#removed();
    const forget = new Set([
      ...removed,
      ...Object.keys(this.#manifest.skipped).filter((path) => !this.#tree.files.has(path)),
    ]);
    if (forget.size > 0) this.#manifest = withoutFiles(this.#manifest, forget, removed);
    const syntax = pending.length <= SYNTAX_AT_ONCE;
    const grew = await this.#build(pending, { words, syntax, progress, known: this.#known }, (result) => {
      this.#manifest = withBatch(this.#manifest, result, syntax);
      return this.#commit();
    });
    if (grew || forget.size > 0) await this.#commit();
    this.#first.resolve();
    const large = this.#manifest.segments.length > MAX_SEGMENTS;
    if (!this.#closed && (large || !this.#manifest.syntax) && this.#refining === undefined) {
      this.#refining = this.#refine(large).finally(() => {
        this.#refining = undefined;
      });
    }
  }

  /** Paths that the index has and the tree has no longer, or only hidden. */
  #removed(): string[] {
    return Object.keys(this.#known).filter((path) => this.#tree.files.get(path)?.hidden !== false);
  }

  /** Builds everything anew along syntax, on one thread, and puts it in the place of what there is. */
  async #refine(always: boolean): Promise<void> {
    const files = [...this.#tree.files.values()].filter(({ hidden }) => !hidden);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const { model, log } = this.#options;
    if (bytes > SYNTAX_BYTES && !always) return;
    const syntax = bytes <= SYNTAX_BYTES;
    let fresh: Manifest = { ...emptyManifest(model), syntax };
    try {
      const threads = this.#options.threads.index.slice(-1);
      await this.#build(files, { syntax, threads }, async (result) => {
        fresh = withBatch(fresh, result, syntax);
      });
      if (this.#closed) return;
      await this.#updating;
      // What changed while this ran is pending again by its stamp.
      this.#manifest = { ...fresh, syntax };
      this.#current = undefined;
      await this.#commit();
      sweepFolder(this.#options.folder, this.#manifest);
    } catch (error) {
      if (!this.#closed) log(`code index of ${this.#tree.root}: ${errorText(error)}`);
    }
  }

  #build(
    files: readonly SourceFile[],
    how: Partial<BuildOptions> & { readonly syntax: boolean },
    done: (result: BatchResult) => Promise<void>,
  ): Promise<boolean> {
    const { folder, embedder, threads } = this.#options;
    return buildBatches(files, {
      root: this.#tree.root,
      folder,
      embedder,
      threads: threads.index,
      stopped: () => this.#closed,
      done,
      ...how,
    });
  }

  async #commit(): Promise<void> {
    writeManifest(this.#options.folder, this.#manifest);
    await this.reload();
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
