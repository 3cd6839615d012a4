import { existsSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unlessAborted } from '../../contract/abort.ts';
import { errorText } from '../../contract/errors.ts';
import { pathOnDisk } from '../../contract/file-name.ts';
import type { Database } from '../../store/database.ts';
import { openSqlite } from '../../store/sqlite.ts';
import type { Thread } from '../../threads/thread.ts';
import { buildGate, isLarge } from '../files/build-gate.ts';
import type { SourceTree } from '../files/source-tree.ts';
import { StampTable } from '../files/stamp-table.ts';
import { UnreadFiles } from '../files/unread-files.ts';
import { isAside } from '../rank/file-roles.ts';
import { type OnProgress, Pace } from '../semantic/update-pace.ts';
import { type ParseBatch, ParseQueue } from './parse-queue.ts';
import { KeptFacts } from './resolve/kept-facts.ts';
import type { SymbolMethods } from './symbol-index.worker.ts';
import { SymbolRows } from './symbol-rows.ts';
import { SYMBOL_SCHEMA } from './symbol-schema.ts';
import type { FileStamp } from './symbol-writer.ts';
import { ThreadWear } from './thread-wear.ts';

export interface SymbolIndexOptions {
  /** The database. */
  readonly file: string;
  /** The databases of other checkouts of the same repository; they may not exist. */
  readonly others: () => readonly string[];
  readonly threads: readonly Thread<SymbolMethods>[];
  readonly log: (line: string) => void;
}

/** The symbols of one source tree: what is stored, what is missing, and how it catches up. */
export class SymbolIndex {
  #tree: SourceTree;
  readonly #options: SymbolIndexOptions;
  readonly #queue: ParseQueue;
  readonly #busy = new Map<Thread<SymbolMethods>, Promise<void>>();
  readonly #unread: UnreadFiles;
  readonly #pace = new Pace();
  /** What questions looked up, kept for the next ones. */
  readonly kept = new KeptFacts();
  #known: StampTable;
  #opened: Promise<void> | undefined;
  #database: Database | undefined;
  #rows: SymbolRows | undefined;
  /** The generation of the tree that is completely stored. */
  #current: number | undefined;
  #closed = false;

  constructor(tree: SourceTree, options: SymbolIndexOptions) {
    this.#tree = tree;
    this.#options = options;
    this.#queue = new ParseQueue(tree.files);
    this.#known = new StampTable(tree.files.paths);
    this.#unread = new UnreadFiles(tree, {
      isCurrent: (number, files) =>
        this.#known.isAt(number, files.sizeAt(number), files.mtimeAt(number), files.ctimeAt(number)),
      holds: (number) => this.#known.holds(number),
    });
  }

  /** The stored rows. */
  get rows(): SymbolRows {
    if (this.#rows === undefined) throw new Error('the symbols are not open');
    return this.#rows;
  }

  /** Opens what an earlier process stored. */
  open(tree: SourceTree): Promise<void> {
    if (tree !== this.#tree || this.#opened === undefined) this.#unread.follow(tree);
    // Another tree object counts its generations from the start.
    if (tree !== this.#tree) {
      this.#doubt();
      this.#known = this.#known.movedTo(tree.files.paths);
      this.#queue.follow(tree.files);
    }
    this.#tree = tree;
    this.#opened ??= this.#load();
    return this.#opened;
  }

  /** The numbers of accepted files that are not stored as they are now. */
  pending(accept?: (path: string) => boolean): number[] {
    return this.#unread.pending(accept);
  }

  countPending(): number {
    return this.#unread.countPending();
  }

  /** Of these paths, the numbers of those that are not stored as they are now. */
  pendingAmong(paths: Iterable<string>): number[] {
    const { files } = this.#tree;
    const found: number[] = [];
    for (const path of paths) {
      const number = files.paths.numberOf(path);
      if (files.isListed(number) && this.#unread.isPending(number)) found.push(number);
    }
    return found;
  }

  /** Whether nothing was pending at this generation of the tree. */
  upToDate(generation: number): boolean {
    if (this.#current === generation) return true;
    if (this.#busy.size > 0 || this.#unread.removed().length > 0 || this.countPending() > 0) return false;
    this.#current = generation;
    this.#unread.confirm();
    return true;
  }

  get secondsLeft(): number | undefined {
    return this.#pace.secondsLeft;
  }

  /**
   * Stores files, by their numbers, before others, for as long as the caller waits. Returns how many are not stored
   * yet.
   */
  async ensure(numbers: readonly number[], ms: number, signal: AbortSignal): Promise<number> {
    const removed = this.#unread.removed();
    if (numbers.length === 0 && removed.length === 0) return 0;
    const end = performance.now() + ms;
    const waiting = this.#queue.urge(numbers, removed);
    this.#pump();
    try {
      while (!waiting.over) {
        const left = end - performance.now();
        if (left <= 0) break;
        await unlessAborted(signal, Promise.race([this.#pace.next, delay(left, undefined, { ref: false })]));
      }
      return waiting.left;
    } finally {
      waiting.end();
    }
  }

  /** Stores everything that is pending; joins a running update. */
  async update(signal: AbortSignal, progress?: OnProgress): Promise<void> {
    // A project's own code first.
    const isAsideAt = (number: number) => isAside(this.#tree.files.paths.path(number));
    const own: number[] = [];
    const aside: number[] = [];
    for (const number of this.pending()) (isAsideAt(number) ? aside : own).push(number);
    const pending = own.concat(aside);
    const total = pending.length;
    if (!this.#queue.isBuilding) this.#pace.begin(total);
    const waiting = this.#queue.add(pending, this.#unread.removed());
    this.#pump();
    try {
      while (!waiting.over) {
        await unlessAborted(signal, this.#pace.next);
        progress?.(total - waiting.left, total);
      }
    } finally {
      waiting.end();
      if (signal.aborted) this.#queue.stop();
    }
  }

  /** The hash of what was stored of a file; undefined if nothing was. */
  hashOf(path: string): string | undefined {
    return this.#known.hashOf(path);
  }

  /** The size of a file as the tree knows it. */
  sizeOf(path: string): number {
    return this.#tree.files.get(path)?.size ?? 0;
  }

  /**
   * Whether all of these files are still as they were when they were stored. A question may have used thousands of
   * them: asking the system one by one costs a fraction of a promise each.
   */
  isCurrent(paths: Iterable<string>): boolean {
    for (const path of paths) {
      const stats = lstatSync(pathOnDisk(join(this.#tree.root, path)), { throwIfNoEntry: false });
      const number = this.#known.paths.numberOf(path);
      if (stats === undefined || !this.#known.isAt(number, stats.size, stats.mtimeMs, stats.ctimeMs))
        return false;
    }
    return true;
  }

  /** Resolves when nothing is being stored. */
  async settled(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values());
  }

  /** Deletes what is stored, for example because the file is damaged; it is built again. */
  async reset(why: string): Promise<void> {
    const { file, log, threads } = this.#options;
    log(`symbols of ${this.#tree.root} are read again: ${why}`);
    this.#queue.clear();
    this.kept.clear();
    await this.settled();
    await Promise.all(threads.filter(({ running }) => running).map((thread) => thread.call('forget', file)));
    await this.#database?.close().catch(() => undefined);
    deleteDatabase(file);
    this.#doubt();
    this.#opened = this.#load();
    await this.#opened;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unread.changed.close();
    this.#queue.clear();
    await this.settled();
    await this.#opened?.catch(() => undefined);
    const { file, threads } = this.#options;
    const open = threads.filter(({ running }) => running);
    await Promise.all(open.map((thread) => thread.call('forget', file).catch(() => undefined)));
    await this.#database?.close().catch(() => undefined);
    this.#database = undefined;
  }

  async #load(): Promise<void> {
    const { file, log } = this.#options;
    if (!existsSync(file)) await this.#adopt();
    try {
      await this.#connect();
    } catch (error) {
      log(`symbols of ${this.#tree.root} are read again: ${errorText(error)}`);
      await this.#database?.close().catch(() => undefined);
      deleteDatabase(file);
      await this.#connect();
    }
  }

  /** Starts with a copy of what another checkout has; then only files that differ are parsed. */
  async #adopt(): Promise<void> {
    const { file, others, threads, log } = this.#options;
    const from = others().find((other) => existsSync(other));
    if (from === undefined) return;
    await threads[0]?.call('copy', { from, to: file }).catch((error: unknown) => {
      log(`symbols of ${this.#tree.root} are not taken from ${from}: ${errorText(error)}`);
    });
  }

  async #connect(): Promise<void> {
    this.#database = await openSqlite(this.#options.file, SYMBOL_SCHEMA);
    const stored = await this.#database.get('SELECT root FROM tree');
    if (stored === undefined) await this.#database.run('INSERT INTO tree VALUES (?)', this.#tree.root);
    else if (stored.root !== this.#tree.root)
      await this.#database.run('UPDATE tree SET root = ?', this.#tree.root);
    this.#rows = new SymbolRows(this.#database);
    this.#known = new StampTable(this.#tree.files.paths);
    for await (const some of this.#rows.stamps())
      for (const { path, ...stamp } of some) this.#known.set(path, stamp);
  }

  #doubt(): void {
    this.#current = undefined;
    this.#unread.doubt();
  }

  #pump(): void {
    const { threads } = this.#options;
    for (const thread of isLarge(this.#tree) ? threads.slice(0, 1) : threads) {
      if (this.#busy.has(thread) || this.#queue.isEmpty || this.#closed) continue;
      const work = this.#work(thread).finally(() => {
        this.#busy.delete(thread);
        if (this.#busy.size === 0) this.#pace.end();
      });
      this.#busy.set(thread, work);
    }
  }

  async #work(thread: Thread<SymbolMethods>): Promise<void> {
    const wear = new ThreadWear(thread, this.#options.file);
    for (let batch = this.#queue.next(); batch !== undefined; batch = this.#queue.next()) {
      const { files, removed } = batch;
      const known = files.flatMap(({ path }) => {
        const hash = this.#known.hashOf(path);
        return hash === undefined ? [] : [[path, hash]];
      });
      try {
        const parse = () =>
          thread.call('index', {
            root: this.#tree.root,
            database: this.#options.file,
            files: files.map(({ path, size, mtimeMs, ctimeMs }) => ({ path, size, mtimeMs, ctimeMs })),
            known: Object.fromEntries(known),
            removed,
          });
        const takesTurns = !batch.urgent && isLarge(this.#tree);
        const report = await (takesTurns ? buildGate.run('symbols', parse) : parse());
        for (const path of removed) this.#known.delete(path);
        for (const { path } of files) {
          const stamp = report[path];
          if (stamp !== undefined) this.#known.set(path, stamp);
        }
        this.kept.changed();
        this.#unread.changed.read(files.filter(({ path }) => report[path] !== undefined));
        this.#queue.done(batch);
      } catch (error) {
        this.#failed(batch, error);
      }
      this.#pace.add(files.length);
      await wear.after(files);
    }
  }

  /** One file of a batch may be too much for the parser: the others are read without it. */
  #failed(batch: ParseBatch, error: unknown): void {
    const { files } = batch;
    this.#options.log(`symbols of ${this.#tree.root}: ${errorText(error)}`);
    if (files.length > 1 && !this.#closed) {
      this.#queue.split(batch);
      return;
    }
    for (const { path, size, mtimeMs, ctimeMs } of files)
      this.#known.set(path, { size, mtimeMs, ctimeMs, hash: '' });
    this.#queue.done(batch);
  }
}

export function sameStamp(a: Omit<FileStamp, 'hash'>, b: Omit<FileStamp, 'hash'>): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}

function deleteDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}
