import { basename } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { IGNORE_FILES } from './ignore-rules.ts';
import { ListedFiles } from './listed-files.ts';
import { missedChanges } from './missed-changes.ts';
import { isRemote } from './network-file-system.ts';
import { isSame, type Outside } from './outside-state.ts';
import { SharedRuns } from './shared-runs.ts';
import type { Freshness, SourceFile, SourceTree, TreeChange } from './source-tree.ts';
import { changedStates, type Sweep, sweep } from './sweep-tree.ts';
import { goneBelow } from './tree-changes.ts';
import { entryWalker } from './walk-tree.ts';
import {
  maxTrustedNews,
  maxWatchedFolders,
  type TreeWatch,
  type WatchedFolder,
  watchTree,
} from './watch-folders.ts';

/** With more changes than this at once, a sweep is cheaper, and safe if the system dropped some. */
const MAX_NEWS = 1_000;

/**
 * A check of all files that takes longer continues in the background; until then answers say that they may be stale.
 */
const PATIENCE_MS = 10_000;

/** How often, at most, all files are checked for changes that no watch reports, such as those through a hard link. */
const CHECK_EVERY_MS = 5 * 60_000;
/** Checks of all files take at most this share of the time. */
const CHECK_SHARE = 0.01;
/** A folder that keeps being replaced is read again this many times; then the next search checks everything. */
const MAX_LOOKS = 3;

export interface TreeOptions {
  /** Watch the folder; without it every refresh checks every file. */
  readonly watch: boolean;
  readonly patienceMs?: number;
  readonly checkEveryMs?: number;
}

/** One source tree; nothing is read before the first refresh. */
export function openTree(root: string, options: TreeOptions): SourceTree {
  return new WatchedTree(root, options);
}

class WatchedTree implements SourceTree {
  readonly root: string;
  readonly files = new ListedFiles();
  readonly folders = new Set<string>();
  unreadable: readonly string[] = [];
  worktrees: readonly string[] = [];
  readonly #wantsWatch: boolean;
  readonly #patienceMs: number;
  readonly #checkEveryMs: number;
  readonly #listeners = new Set<(change: TreeChange) => void>();
  readonly #news = new Set<string>();
  readonly #refreshes = new SharedRuns(() => this.#refresh());
  readonly #sweeps = new SharedRuns(() => this.#sweep());

  #watch: TreeWatch | undefined;
  #watching: Promise<void> | undefined;
  #hearsAll = false;
  /** Folders of the last check, until watching begins. */
  #toHear: readonly WatchedFolder[] = [];
  /** Events since the last check. Paths repeat, and the system's queue counts events. */
  #heard = 0;
  #sweepNeeded = true;
  #swept = false;
  #outside: Outside = new Map();
  #checking: Promise<void> | undefined;
  #looked = { at: 0, tookMs: 0 };
  #remote: boolean | undefined;
  #generation = 0;
  #closed = false;

  constructor(root: string, options: TreeOptions) {
    this.root = root;
    this.#wantsWatch = options.watch;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.#checkEveryMs = options.checkEveryMs ?? CHECK_EVERY_MS;
  }

  onChange(listener: (change: TreeChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  refresh(): Promise<Freshness> {
    return this.#refreshes.take();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#watching;
    await this.#watch?.close();
    this.#watch = undefined;
  }

  async #refresh(): Promise<Freshness> {
    // Two turns of the event loop: by then every earlier change has been read from the system's queue.
    await nextTurn();
    await nextTurn();
    this.#remote ??= await isRemote(this.root);
    if (!this.#mustSweep() && !isSame(this.#outside)) this.#sweepNeeded = true;
    if (!this.#mustSweep()) this.#readNews();
    const done = !this.#mustSweep() || (await this.#sweepWithin());
    if (this.#wantsWatch && !this.#remote && this.#watching === undefined)
      this.#watching = this.#startWatching();
    this.#checkSometimes();
    const reason = this.#doubt(done);
    return { generation: this.#generation, fresh: reason === undefined, ...(reason ? { reason } : {}) };
  }

  #mustSweep(): boolean {
    if (this.#sweeps.busy || this.#sweepNeeded) return true;
    if (!this.#hearsAll || this.#watch?.exact !== true) return true;
    return this.#news.size > MAX_NEWS || this.#heard > maxTrustedNews();
  }

  /** Why the list of files may not be right, in a few words. */
  #doubt(sweepDone: boolean): string | undefined {
    if (!sweepDone) return 'checking all files is slow; results are from the previous check';
    return this.#remote
      ? 'on a network file system, changes made on other machines may not show yet'
      : undefined;
  }

  /** Checks all files; false if that takes too long and there is an earlier check to answer from. */
  async #sweepWithin(): Promise<boolean> {
    const sweeping = this.#sweeps.take().then(() => true);
    if (!this.#swept) return sweeping;
    // A caller that waits gets the failure; later calls check again.
    sweeping.catch(() => {});
    const late = new AbortController();
    const waited = delay(this.#patienceMs, false, { signal: late.signal }).catch(() => false);
    return Promise.race([sweeping, waited]).finally(() => late.abort());
  }

  async #sweep(): Promise<void> {
    this.#sweepNeeded = false;
    this.#news.clear();
    this.#heard = 0;
    const found = await this.#lookAtAll();
    this.#swept = true;
    this.unreadable = found.unreadable;
    this.worktrees = found.worktrees;
    this.#outside = found.outside;
    this.#followFolders(found);
    this.#take(found);
  }

  #take(found: Sweep): void {
    const { paths } = this.files;
    const changed: SourceFile[] = [];
    for (const number of found.removed) this.files.delete(number);
    for (const [number, state] of changedStates(found)) {
      this.files.set(number, state);
      // Nobody listens to the first check, which finds every file.
      if (this.#listeners.size > 0) changed.push({ path: paths.path(number), ...state });
    }
    if (found.changed.length + found.removed.length > 0)
      this.#tell({ changed, removed: found.removed.map((number) => paths.path(number)) });
  }

  async #lookAtAll(): Promise<Sweep> {
    const began = performance.now();
    const found = await sweep(this.root, this.files);
    this.#looked = { at: performance.now(), tookMs: performance.now() - began };
    return found;
  }

  /** Now and then, after a search, looks for changes that no watch reported; the next search reads them. */
  #checkSometimes(): void {
    if (!this.#hearsAll || this.#checking !== undefined || this.#sweepNeeded) return;
    const { at, tookMs } = this.#looked;
    if (performance.now() - at < Math.max(this.#checkEveryMs, tookMs / CHECK_SHARE)) return;
    this.#checking = this.#lookAtAll()
      .then((found) => {
        for (const path of missedChanges(this.files, found, this.#watch)) this.#hear(path);
      })
      // The tree was deleted; the next search says so.
      .catch(() => {})
      .finally(() => {
        this.#checking = undefined;
      });
  }

  /** Rereads each path that the watcher reported. */
  #readNews(): void {
    const changed: SourceFile[] = [];
    const removed: string[] = [];
    const paths = [...this.#news];
    this.#news.clear();
    this.#heard = 0;
    // Unreadable files may be readable now; only a check of everything counts them again.
    if (paths.length > 0 && this.unreadable.length > 0) this.#sweepNeeded = true;
    const walkEntry = entryWalker(this.root);
    for (const path of paths) this.#readPath(path, walkEntry, changed, removed);
    if (changed.length + removed.length > 0) this.#tell({ changed, removed });
  }

  #readPath(
    path: string,
    walkEntry: ReturnType<typeof entryWalker>,
    changed: SourceFile[],
    removed: string[],
    look = 1,
  ): void {
    const seen = new Set<string>();
    const folders: WatchedFolder[] = [];
    walkEntry(path, {
      file: (file) => {
        seen.add(file.path);
        const number = this.files.paths.add(file.path);
        if (this.files.isAt(number, file)) return;
        this.files.set(number, file);
        changed.push(file);
      },
      folder: (folder) => {
        seen.add(folder.path);
        folders.push(folder);
        // Its exclude file is known from the next check of everything.
        if (folder.repository) this.#sweepNeeded = true;
      },
      unreadable: () => {
        this.#sweepNeeded = true;
      },
      worktree: () => {
        this.#sweepNeeded = true;
      },
    });
    for (const folder of folders) this.folders.add(folder.path);
    // Files that were put into a folder after it was read and before it was watched are found by reading it again.
    const isNew = this.#listenTo(folders) === 'new';
    if (isNew && look < MAX_LOOKS) {
      this.#readPath(path, walkEntry, changed, removed, look + 1);
      return;
    }
    if (isNew) this.#sweepNeeded = true;
    this.#forget(path, seen, removed);
  }

  /** Drops what was known at or below the path and no longer exists. */
  #forget(path: string, seen: ReadonlySet<string>, removed: string[]): void {
    const gone = goneBelow(path, seen, this);
    for (const file of gone.files) {
      this.files.delete(this.files.paths.numberOf(file));
      removed.push(file);
    }
    for (const folder of gone.folders) {
      this.folders.delete(folder);
      this.#watch?.remove(folder);
    }
  }

  #tell(change: TreeChange): void {
    this.#generation++;
    for (const listener of this.#listeners) listener(change);
  }

  #followFolders(found: Sweep): void {
    const now = new Set(found.folders.map(({ path }) => path));
    for (const folder of this.folders) {
      if (now.has(folder)) continue;
      this.folders.delete(folder);
      this.#watch?.remove(folder);
    }
    // The texts of folders that were known stay, because their watches have the same ones.
    for (const folder of now) this.folders.add(folder);
    if (this.#hearsAll && this.#listenTo(found.folders) === 'new') this.#sweepNeeded = true;
    if (this.#wantsWatch && this.#watching === undefined) this.#toHear = found.folders;
  }

  async #startWatching(): Promise<void> {
    const folders = this.#toHear;
    this.#toHear = [];
    if (folders.length > maxWatchedFolders()) return;
    const watch = await watchTree(this.root, (path) => this.#hear(path)).catch(() => undefined);
    if (watch === undefined) return;
    this.#watch = watch;
    for (let from = 0; from < folders.length && !this.#closed; from += 200) {
      if (this.#listenTo(folders.slice(from, from + 200)) === 'refused') return;
      await nextTurn();
    }
    // Changes may have been made before their folder was watched.
    this.#sweepNeeded = true;
    this.#hearsAll = watch.exact;
  }

  #hear(path: string | undefined): void {
    this.#heard++;
    // Git's ignore files apply only inside a repository, so one that appears or disappears changes what they hide.
    if (path === undefined || IGNORE_FILES.has(basename(path)) || basename(path) === '.git')
      this.#sweepNeeded = true;
    else this.#news.add(path);
  }

  /** 'new' if some were not watched before. After 'refused' nothing is watched and every refresh sweeps. */
  #listenTo(folders: readonly WatchedFolder[]): 'known' | 'new' | 'refused' {
    try {
      return this.#watch?.add(folders) === true ? 'new' : 'known';
    } catch {
      const watch = this.#watch;
      this.#watch = undefined;
      this.#hearsAll = false;
      void watch?.close();
      return 'refused';
    }
  }
}
