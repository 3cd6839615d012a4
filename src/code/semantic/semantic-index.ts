import { errorText } from '../../contract/errors.ts';
import type { EmbedderChoice } from '../embed/open-embedder.ts';
import { buildGate, type GiveWay, isLarge } from '../files/build-gate.ts';
import { NumberSet } from '../files/number-set.ts';
import { type SourceFile, type SourceTree, sameFile } from '../files/source-tree.ts';
import { UnreadFiles } from '../files/unread-files.ts';
import { type BuildOptions, buildBatches } from './build-batches.ts';
import { type Batch, FileQueue, type Wanted } from './file-queue.ts';
import { IndexRenewal } from './index-renewal.ts';
import type { Manifest } from './semantic-manifest.ts';
import { withBatch, withoutFiles } from './semantic-manifest-change.ts';
import type { SemanticThreads } from './semantic-threads.ts';
import { StoredIndex } from './stored-index.ts';
import { SYNTAX_AT_ONCE, suitsGrammars } from './syntax-limits.ts';
import { deferred, type OnProgress, Pace } from './update-pace.ts';

/** Reading more files than this leaves threads with memory that nothing needs. */
const MANY_FILES = 500;
/** A build that leaves this many small segments joins them. */
const LEFT_BY_BUILD = 8;

export interface SemanticIndexOptions {
  readonly folder: string;
  /** The folders of the indexes of other checkouts of the same repository; they may not exist. */
  readonly others: () => readonly string[];
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
  readonly #stored: StoredIndex;
  #opened: Promise<void> | undefined;
  #updating: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;
  #first = deferred();
  readonly #pace = new Pace();
  /** Files that the running update has not read yet. */
  #queue: FileQueue;
  readonly #hurrying = new Set<Promise<void>>();
  /** Numbers of the files in the queue. */
  readonly #queued = new NumberSet();
  /** Files that are being read, as they were when they were taken from a queue, by path. */
  readonly #reading = new Map<string, SourceFile>();
  readonly #unread: UnreadFiles;
  /** The generation of the tree that is completely indexed. */
  #current: number | undefined;
  /** Another builder of a large tree is at work, so that queued files are not read soon. */
  #waitsForTurn = false;
  #closed = false;

  constructor(tree: SourceTree, options: SemanticIndexOptions) {
    this.#tree = tree;
    this.#options = options;
    this.#stored = new StoredIndex(tree, options);
    this.#queue = new FileQueue(tree.files, []);
    this.#unread = new UnreadFiles(tree, this.#stored);
  }

  get state(): { files: number; chunks: number; bytes: number; segments: number; syntax: boolean } {
    const { manifest, known, chunks, bytes } = this.#stored;
    const { segments, syntax } = manifest;
    return { files: known.size, chunks, bytes, segments: segments.length, syntax };
  }

  /** Why files are not in the index. */
  get skipped(): Manifest['skipped'] {
    return this.#stored.manifest.skipped;
  }

  /** Starts threads that the first search needs, before the tree is known. */
  warm(): void {
    if (this.#opened === undefined) this.#stored.warm();
  }

  /** Loads what an earlier process stored; if anything is wrong with it, the index starts over. */
  open(tree: SourceTree): Promise<void> {
    if (tree !== this.#tree || this.#opened === undefined) this.#unread.follow(tree);
    // Another tree object counts its generations from the start.
    if (tree !== this.#tree) {
      this.#stored.follow(tree);
      this.#doubt();
      this.#queued.clear();
    }
    this.#tree = tree;
    this.#opened ??= this.#stored.open(this.#tree).then(() => this.#reportFirst());
    return this.#opened;
  }

  /** The numbers of accepted files that are not in the index as they are now. */
  pending(accept?: Wanted['accept']): number[] {
    return this.#unread.pending(accept);
  }

  countPending(accept?: Wanted['accept']): number {
    return this.#unread.countPending(accept);
  }

  /** Indexed paths that the tree no longer has, or has only as hidden files. */
  removed(): string[] {
    return this.#unread.removed();
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

  /** Resolves when the next files have been read, or all work has ended. */
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
    if (this.#updating !== undefined || this.countPending() > 0 || this.removed().length > 0) return false;
    this.#current = generation;
    this.#unread.confirm();
    return true;
  }

  /** Compares all files again at the next search. */
  #doubt(): void {
    this.#current = undefined;
    this.#unread.doubt();
  }

  /** Resolves when some files can be searched. */
  get searchable(): Promise<void> {
    return this.#first.promise;
  }

  /** Resolves when all work has ended, also what goes on after an update. */
  async settled(): Promise<void> {
    while (this.#updating !== undefined || this.#renewing !== undefined || this.#hurrying.size > 0) {
      await this.#updating;
      await this.#renewing;
      await Promise.all(this.#hurrying);
    }
  }

  close(): void {
    this.#closed = true;
    this.#unread.changed.close();
    this.stop();
  }

  /** Loads the current segments in the search thread. */
  async reload(): Promise<void> {
    await this.#stored.load(this.#tree);
    this.#reportFirst();
  }

  #reportFirst(): void {
    if (this.#stored.manifest.segments.length > 0) this.#first.resolve();
  }

  async #catchUp(wanted: Wanted | undefined): Promise<void> {
    const pending = this.pending();
    const removed = this.removed();
    const skipped = Object.keys(this.skipped).filter((path) => !this.#tree.files.has(path));
    const forget = new Set([...removed, ...skipped]);
    if (forget.size > 0) this.#stored.manifest = withoutFiles(this.#stored.manifest, forget, removed);
    this.#queue = new FileQueue(this.#tree.files, pending, wanted);
    for (const number of pending) this.#queued.add(number);
    this.#pace.begin(pending.length);
    try {
      await this.#readAll(pending.length);
    } finally {
      this.#queued.clear();
    }
    if (pending.length === 0 && forget.size > 0) await this.#commit();
    this.#first.resolve();
    if (!this.#closed && this.#renewing === undefined) this.#renew(pending.length);
  }

  /** Reads everything again by syntax if it was not, or joins small segments; searches go on meanwhile. */
  #renew(read: number): void {
    const renewal = new IndexRenewal(this.#tree, this.#options, this.#stored, {
      isClosed: () => this.#closed,
      begin: () => this.#unread.changed.remember(),
      end: async () => {
        await this.#updating;
        await Promise.all(this.#hurrying);
        // Files that changed in the meantime are pending again.
        this.#unread.changed.recall();
      },
    });
    const bySyntax = !this.#stored.manifest.syntax && suitsGrammars(this.#tree);
    // Searches during a long build leave small segments; joined now, they do not wait for an edit.
    const least = read > MANY_FILES ? LEFT_BY_BUILD : undefined;
    this.#renewing = this.#replace(bySyntax ? renewal.bySyntax() : renewal.joined(least))
      .catch((error: unknown) => {
        if (!this.#closed) this.#options.log(`code index of ${this.#tree.root}: ${errorText(error)}`);
      })
      .finally(() => {
        this.#renewing = undefined;
      });
  }

  async #replace(renewed: Promise<Manifest | undefined>): Promise<void> {
    const manifest = await renewed;
    if (manifest === undefined) return;
    this.#doubt();
    await this.#stored.replace(this.#tree, manifest);
    if (isLarge(this.#tree)) await this.#options.threads.rest();
  }

  /** Reads the queue: what a search waits for at once, the rest of a large tree on one thread when it is its turn. */
  async #readAll(count: number): Promise<void> {
    const { threads } = this.#options;
    const how = { syntax: count <= SYNTAX_AT_ONCE, threads: threads.index.slice(0, this.#queue.width || 1) };
    const next = () => this.#queue.next();
    if (!isLarge(this.#tree) || count <= MANY_FILES) return this.#read(next, how);
    await this.#read(() => this.#queue.nextUrgent(), how);
    // They read with all threads; the rest takes one.
    await threads.rest();
    this.#waitsForTurn = true;
    await buildGate.run('meaning', (giveWay) => {
      this.#waitsForTurn = false;
      return this.#read(next, { ...how, threads: threads.index.slice(0, 1) }, giveWay);
    });
    await threads.rest();
  }

  /** Reads at once what a search waits for, alongside an update that may take a long time. */
  #hurry(wanted: Wanted): void {
    this.#queue.prefer(wanted);
    const { files } = this.#tree;
    const waits = wanted.accept !== undefined || this.#waitsForTurn;
    const isComing = (number: number) => this.#isBeingRead(number) || (!waits && this.#queued.has(number));
    const numbers = this.pending(wanted.accept).filter((number) => !isComing(number));
    if (numbers.length === 0) return;
    const queue = new FileQueue(files, numbers, wanted);
    const next = (): Batch | undefined => {
      // Later files come with the update, which now reads the same files first.
      const batch = queue.nextUrgent();
      this.#queue.drop(batch?.files ?? []);
      return batch;
    };
    const width = isLarge(this.#tree) ? 1 : Math.max(1, queue.width);
    const threads = this.#options.threads.index.slice(0, width);
    const reading = this.#read(next, { syntax: false, threads })
      .catch((error: unknown) => this.#options.log(`code index of ${this.#tree.root}: ${String(error)}`))
      .finally(() => {
        this.#hurrying.delete(reading);
      });
    this.#hurrying.add(reading);
  }

  /** Whether a file is being read in its present state. */
  #isBeingRead(number: number): boolean {
    const now = this.#tree.files.at(number);
    const taken = now === undefined ? undefined : this.#reading.get(now.path);
    return now !== undefined && taken !== undefined && sameFile(now, taken);
  }

  /** Indexes batches; calls `between` after each. */
  #read(
    next: () => Batch | undefined,
    how: Pick<BuildOptions, 'syntax' | 'threads'>,
    between?: GiveWay,
  ): Promise<void> {
    const { folder, embedder } = this.#options;
    const { known } = this.#stored;
    const hashOf = (path: string) => known.hashOf(path);
    const open = new Set<readonly SourceFile[]>();
    const taken = (): Batch | undefined => {
      const batch = next();
      if (batch === undefined) return undefined;
      open.add(batch.files);
      for (const file of batch.files) {
        this.#queued.delete(this.#tree.files.paths.numberOf(file.path));
        this.#reading.set(file.path, file);
      }
      return batch;
    };
    const ended = (files: readonly SourceFile[]): void => {
      open.delete(files);
      for (const { path } of files) this.#reading.delete(path);
    };
    const done: BuildOptions['done'] = async (result) => {
      const { manifest } = this.#stored;
      this.#stored.manifest = withBatch(manifest, result, how.syntax, (path) => known.has(path));
      await this.#commit();
      this.#unread.changed.read(result.batch);
      ended(result.batch);
      this.#pace.add(result.batch.length);
      await between?.();
    };
    return buildBatches(taken, { root: this.#tree.root, folder, embedder, hashOf, done, ...how }).finally(
      () => [...open].forEach(ended),
    );
  }

  async #commit(): Promise<void> {
    await this.#stored.commit(this.#tree);
    this.#reportFirst();
  }
}
