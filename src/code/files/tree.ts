import { basename } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { IGNORE_FILES } from './ignore.ts';
import { isRemote } from './network.ts';
import {
  type Freshness,
  type SkipCounts,
  type SourceFile,
  type SourceTree,
  sameFile,
  type TreeChange,
} from './source-tree.ts';
import { type Sweep, sweep } from './sweep.ts';
import { entryWalker } from './walk.ts';
import { MAX_WATCHED_FOLDERS, mostNews, type TreeWatch, watchTree } from './watch.ts';

/** More news at once than this and a sweep is cheaper, and safe should the system have dropped some. */
const MAX_NEWS = 1_000;

/** A look at all files that takes longer goes on by itself; until it ends answers say that they are not sure. */
const PATIENCE_MS = 10_000;

export interface TreeOptions {
  /** Keep listening to the folder; without it every refresh looks at every file. */
  readonly watch: boolean;
  readonly patienceMs?: number;
}

/** One source tree; nothing is read before the first refresh. */
export function openTree(root: string, options: TreeOptions): SourceTree {
  return new WatchedTree(root, options);
}

class WatchedTree implements SourceTree {
  readonly root: string;
  files = new Map<string, SourceFile>();
  folders = new Set<string>();
  skipped: SkipCounts = {};
  readonly #wantsWatch: boolean;
  readonly #patienceMs: number;
  readonly #listeners = new Set<(change: TreeChange) => void>();
  readonly #news = new Set<string>();

  #watch: TreeWatch | undefined;
  #watching: Promise<void> | undefined;
  #hearsAll = false;
  /** Events since the last look: paths repeat, and the system's queue counts events. */
  #heard = 0;
  #sweepNeeded = true;
  #sweeping: Promise<void> | undefined;
  #sweepNext: Promise<void> | undefined;
  #swept = false;
  #remote: boolean | undefined;
  #generation = 0;
  #running: Promise<Freshness> | undefined;
  #queued: Promise<Freshness> | undefined;
  #closed = false;

  constructor(root: string, options: TreeOptions) {
    this.root = root;
    this.#wantsWatch = options.watch;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
  }

  onChange(listener: (change: TreeChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A refresh that has begun may have missed what the caller did just now: wait for it, then run one more. */
  refresh(): Promise<Freshness> {
    if (this.#running === undefined) {
      this.#running = this.#refresh().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#queued ??= this.#running.then(
      () => this.#next(),
      () => this.#next(),
    );
    return this.#queued;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#watching;
    await this.#watch?.close();
    this.#watch = undefined;
  }

  #next(): Promise<Freshness> {
    this.#queued = undefined;
    return this.refresh();
  }

  async #refresh(): Promise<Freshness> {
    // Two turns of the event loop: by then every earlier change has been read from the system's queue.
    await nextTurn();
    await nextTurn();
    this.#remote ??= await isRemote(this.root);
    if (!this.#mustSweep()) this.#readNews();
    const done = !this.#mustSweep() || (await this.#sweepWithin());
    if (this.#wantsWatch && !this.#remote && this.#watching === undefined)
      this.#watching = this.#startWatching();
    const reason = this.#doubt(done);
    return { generation: this.#generation, fresh: reason === undefined, ...(reason ? { reason } : {}) };
  }

  #mustSweep(): boolean {
    if (this.#sweeping !== undefined || this.#sweepNeeded) return true;
    if (!this.#hearsAll || this.#watch?.exact !== true) return true;
    return this.#news.size > MAX_NEWS || this.#heard > mostNews();
  }

  /** Why the list of files may not be right, in a few words. */
  #doubt(sweepDone: boolean): string | undefined {
    if (!sweepDone) return 'looking at all files takes long; these are the files of the last look';
    return this.#remote ? 'a network file system: changes made elsewhere may not show yet' : undefined;
  }

  /** Looks at all files; false when that takes too long and there is an earlier look to answer from. */
  async #sweepWithin(): Promise<boolean> {
    const sweeping = this.#sweepAnew().then(() => true);
    if (!this.#swept) return sweeping;
    // A failure is told to whoever waits; later ones look again.
    sweeping.catch(() => {});
    const late = new AbortController();
    const waited = delay(this.#patienceMs, false, { signal: late.signal }).catch(() => false);
    return Promise.race([sweeping, waited]).finally(() => late.abort());
  }

  /** A look that has begun may have missed what the caller did just now: wait for it, then look once more. */
  #sweepAnew(): Promise<void> {
    const start = () => {
      this.#sweepNext = undefined;
      this.#sweeping = this.#sweep().finally(() => {
        this.#sweeping = undefined;
      });
      return this.#sweeping;
    };
    if (this.#sweeping === undefined) return start();
    this.#sweepNext ??= this.#sweeping.then(start, start);
    return this.#sweepNext;
  }

  async #sweep(): Promise<void> {
    this.#sweepNeeded = false;
    this.#news.clear();
    this.#heard = 0;
    const found = await sweep(this.root);
    this.#swept = true;
    this.skipped = found.skipped;
    this.#followFolders(found);
    const changed: SourceFile[] = [];
    const removed: string[] = [];
    for (const [path, file] of found.files) {
      const before = this.files.get(path);
      if (before === undefined || !sameFile(before, file)) changed.push(file);
    }
    for (const path of this.files.keys()) if (!found.files.has(path)) removed.push(path);
    this.files = new Map(found.files);
    this.#tell({ changed, removed });
  }

  /** Looks again at each path that the watcher named. */
  #readNews(): void {
    const changed: SourceFile[] = [];
    const removed: string[] = [];
    const paths = [...this.#news];
    this.#news.clear();
    this.#heard = 0;
    // What could not be read may be readable now; only a look at everything counts it anew.
    if (paths.length > 0 && (this.skipped.unreadable ?? 0) > 0) this.#sweepNeeded = true;
    const walkEntry = entryWalker(this.root);
    for (const path of paths) this.#readPath(path, walkEntry, changed, removed);
    this.#tell({ changed, removed });
  }

  #readPath(
    path: string,
    walkEntry: ReturnType<typeof entryWalker>,
    changed: SourceFile[],
    removed: string[],
  ): void {
    const seen = new Set<string>();
    const newFolders: string[] = [];
    walkEntry(path, {
      file: (file) => {
        seen.add(file.path);
        const before = this.files.get(file.path);
        if (before !== undefined && sameFile(before, file)) return;
        this.files.set(file.path, file);
        changed.push(file);
      },
      folder: (folder) => {
        seen.add(folder);
        if (!this.folders.has(folder)) newFolders.push(folder);
      },
      skipped: () => {
        this.#sweepNeeded = true;
      },
    });
    if (newFolders.length > 0) {
      for (const folder of newFolders) this.folders.add(folder);
      this.#listenTo(newFolders);
      // What was put into the folder between the look and the watch is found by the second look.
      this.#readPath(path, walkEntry, changed, removed);
      return;
    }
    this.#forget(path, seen, removed);
  }

  /** Drops what was known at or below the path and is not there any more. */
  #forget(path: string, seen: ReadonlySet<string>, removed: string[]): void {
    if (!seen.has(path) && this.files.delete(path)) removed.push(path);
    if (!this.folders.has(path)) return;
    const below = `${path}/`;
    for (const file of [...this.files.keys()]) {
      if (!file.startsWith(below) || seen.has(file)) continue;
      this.files.delete(file);
      removed.push(file);
    }
    for (const folder of [...this.folders]) {
      if ((folder !== path && !folder.startsWith(below)) || seen.has(folder)) continue;
      this.folders.delete(folder);
      this.#watch?.remove(folder);
    }
  }

  #tell(change: TreeChange): void {
    if (change.changed.length + change.removed.length === 0) return;
    this.#generation++;
    for (const listener of this.#listeners) listener(change);
  }

  #followFolders(found: Sweep): void {
    const now = new Set(found.folders);
    for (const folder of this.folders) if (!now.has(folder)) this.#watch?.remove(folder);
    const added = found.folders.filter((folder) => !this.folders.has(folder));
    this.folders = now;
    if (this.#watch === undefined || added.length === 0) return;
    this.#listenTo(added);
    this.#sweepNeeded = true;
  }

  async #startWatching(): Promise<void> {
    if (this.folders.size > MAX_WATCHED_FOLDERS) return;
    const watch = await watchTree(this.root, (path) => this.#hear(path)).catch(() => undefined);
    if (watch === undefined) return;
    this.#watch = watch;
    const folders = [...this.folders];
    for (let from = 0; from < folders.length && !this.#closed; from += 200) {
      if (!this.#listenTo(folders.slice(from, from + 200))) return;
      await nextTurn();
    }
    // Changes made before their folder was listened to.
    this.#sweepNeeded = true;
    this.#hearsAll = watch.exact;
  }

  #hear(path: string | undefined): void {
    this.#heard++;
    if (path === undefined || IGNORE_FILES.has(basename(path))) this.#sweepNeeded = true;
    else if (path !== '.git' && !path.endsWith('/.git')) this.#news.add(path);
  }

  /** False when the system refused; then nothing is watched and every refresh sweeps. */
  #listenTo(folders: readonly string[]): boolean {
    try {
      this.#watch?.add(folders);
      return true;
    } catch {
      const watch = this.#watch;
      this.#watch = undefined;
      this.#hearsAll = false;
      void watch?.close();
      return false;
    }
  }
}
