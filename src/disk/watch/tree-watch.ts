import { uint32At } from '../../contract/at.ts';
import { folderPaths } from '../tree/folder-paths.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { folderId } from '../tree/tree-nodes.ts';
import { MARK, type Marks } from './folder-marks.ts';
import { FolderWatch, type WatchHost, type WatchNews } from './folder-watch.ts';
import { departed, toRecheck, unwatched } from './folders-to-watch.ts';
import { recheckFolders } from './recheck-folders.ts';
import { eventQueue, mountsBelow, reportsEveryChange } from './watch-limits.ts';
import { WatchProcess } from './watch-process.ts';

/** Folders per order to a host: a few milliseconds of work on both sides. */
const FOLDERS_PER_SLICE = 1_000;
/** Indexes with fewer folders are watched in this process. */
const MAX_DIRS_IN_PROCESS = 2_000;
/** The folders that callers looked at last are watched even if not all folders can be. */
const MAX_LOOKED_AT = 200;
const RESTART_MS = 60_000;

export interface TreeWatchOptions {
  /** How many folders may be watched, for all indexes together; 0: none. */
  readonly limit: number;
  readonly log: (line: string) => void;
  /** The length of the system's event queue; by default what the system says. */
  readonly queue?: number | undefined;
  /** Indexes with at least this many folders are watched in a process of their own. */
  readonly maxDirsInProcess?: number | undefined;
}

interface Followed {
  readonly index: number;
  readonly marks: Marks;
  readonly host: WatchHost;
  /** True if watches report every change; otherwise they are hints. */
  readonly trusted: boolean;
  tree: Tree;
  mounts: string;
  watched: number;
  queue: number[];
  recheck: AbortController;
  working: Promise<void> | undefined;
  /** True: something came up that the work in progress may have missed. */
  again: boolean;
  readonly lookedAt: Set<number>;
}

/** Watches the folders of indexes as far as the system allows, and keeps their marks. */
export class TreeWatch {
  readonly #options: TreeWatchOptions;
  readonly #followed = new Map<number, Followed>();
  readonly #queue: number;
  #here: FolderWatch | undefined;
  #away: WatchProcess | undefined;
  #awayStarted = 0;
  #limit: number;
  #used = 0;
  #closed = false;

  constructor(options: TreeWatchOptions) {
    this.#options = options;
    this.#limit = options.limit;
    this.#queue = options.queue ?? eventQueue();
  }

  /** The process that watches large indexes, for measurements. */
  get pid(): number | undefined {
    return this.#away?.pid;
  }

  /** Starts watching the folders of a tree; a later generation replaces an earlier one. */
  follow(index: number, tree: Tree, marks: Marks): void {
    if (this.#closed || this.#options.limit === 0) return;
    const known = this.#followed.get(index);
    marks.fit(tree.meta.nextId);
    if (known === undefined || known.marks !== marks) {
      this.unfollow(index);
      this.#followed.set(index, this.#begin(index, tree, marks));
    } else {
      if (known.tree.buffer !== tree.buffer) {
        this.#drop(known, departed(known.tree, tree));
        known.recheck.abort();
        known.recheck = new AbortController();
      }
      known.tree = tree;
    }
    const followed = this.#followed.get(index);
    if (followed === undefined) return;
    const room = this.#limit - MAX_LOOKED_AT - this.#used;
    followed.queue = followed.trusted ? unwatched(tree, marks, room) : [];
    this.#work(followed);
  }

  unfollow(index: number): void {
    const followed = this.#followed.get(index);
    if (followed === undefined) return;
    this.#followed.delete(index);
    followed.recheck.abort();
    followed.queue = [];
    this.#drop(
      followed,
      Array.from(followed.tree.dirRow, (row) => uint32At(followed.tree.id, row)),
    );
  }

  /** A caller looked at a folder: it is watched even if there are too many. */
  lookedAt(index: number, folder: number): void {
    const followed = this.#followed.get(index);
    if (followed === undefined) return;
    const { lookedAt, tree, marks } = followed;
    const id = folderId(tree, folder);
    if ((marks.get(id) & MARK.watched) !== 0 || lookedAt.has(id)) return;
    lookedAt.add(id);
    const [oldest] = lookedAt;
    if (lookedAt.size > MAX_LOOKED_AT && oldest !== undefined) this.#drop(followed, [oldest]);
    followed.queue.push(folder);
    this.#work(followed);
  }

  /** Resolves when the marks of an index include every change in its folders so far. */
  async heard(index: number): Promise<void> {
    await this.#followed.get(index)?.host.flush();
  }

  /** The same, and checks everything again if a file system was mounted or unmounted below. */
  async flush(index: number): Promise<void> {
    await this.heard(index);
    const followed = this.#followed.get(index);
    if (followed === undefined) return;
    const mounts = mountsBelow(followed.tree.meta.root);
    if (mounts === followed.mounts) return;
    followed.mounts = mounts;
    this.#recheckAll(followed);
  }

  /** Resolves when all possible watches are set and earlier changes have been looked for. */
  async ready(index: number): Promise<void> {
    // The work itself does not keep the process alive; waiting for it does.
    const keepAlive = setInterval(() => undefined, 60_000);
    for (let followed = this.#followed.get(index); followed?.working; followed = this.#followed.get(index))
      await followed.working;
    clearInterval(keepAlive);
  }

  close(): void {
    this.#closed = true;
    for (const { recheck } of this.#followed.values()) recheck.abort();
    this.#followed.clear();
    this.#here?.close();
    this.#away?.close();
  }

  #begin(index: number, tree: Tree, marks: Marks): Followed {
    const { root, options } = tree.meta;
    const small = tree.meta.dirs < (this.#options.maxDirsInProcess ?? MAX_DIRS_IN_PROCESS);
    const trusted = reportsEveryChange(root, options);
    return {
      ...{ index, tree, marks, trusted, watched: 0, queue: [], working: undefined, again: false },
      host: small || !trusted ? this.#hostHere() : this.#hostAway(),
      mounts: mountsBelow(root),
      recheck: new AbortController(),
      lookedAt: new Set(),
    };
  }

  #hostHere(): WatchHost {
    this.#here ??= new FolderWatch(this.#news(), this.#queue);
    return this.#here;
  }

  #hostAway(): WatchHost {
    if (this.#away === undefined) {
      this.#awayStarted = Date.now();
      this.#away = new WatchProcess(this.#news(), this.#queue, () => this.#awayEnded());
    }
    return this.#away;
  }

  #news(): WatchNews {
    return {
      changed: (index, ids) => {
        const marks = this.#followed.get(index)?.marks;
        for (const id of ids) marks?.add(id, MARK.changed);
      },
      lost: (index, ids) => {
        const followed = this.#followed.get(index);
        if (followed === undefined) return;
        this.#unmark(followed, ids);
        for (const id of ids) followed.marks.add(id, MARK.changed);
      },
      overflow: () => {
        this.#options.log(
          'disk: there were more changes at once than the system reports; checking all watched folders again',
        );
        for (const followed of this.#followed.values()) this.#recheckAll(followed);
      },
    };
  }

  /** Events may have been lost. */
  #recheckAll(followed: Followed): void {
    followed.marks.uncheckAll();
    followed.recheck.abort();
    followed.recheck = new AbortController();
    this.#work(followed);
  }

  /** The other process died: its folders are no longer watched. It is restarted unless it died right away. */
  #awayEnded(): void {
    const host = this.#away;
    this.#away = undefined;
    const again = Date.now() - this.#awayStarted > RESTART_MS;
    this.#options.log(`disk: the watching process ended${again ? '; starting another one' : ''}`);
    for (const followed of [...this.#followed.values()].filter((each) => each.host === host)) {
      this.#followed.delete(followed.index);
      followed.recheck.abort();
      this.#used -= followed.watched;
      followed.queue = [];
      followed.marks.unwatchAll();
      if (again) this.follow(followed.index, followed.tree, followed.marks);
    }
  }

  #work(followed: Followed): void {
    followed.again = true;
    followed.working ??= this.#setAndCheck(followed).finally(() => {
      followed.working = undefined;
      if (followed.again) this.#work(followed);
    });
  }

  async #setAndCheck(followed: Followed): Promise<void> {
    followed.again = false;
    const { marks } = followed;
    while (followed.queue.length > 0) await this.#setSlice(followed);
    const { tree, recheck } = followed;
    if (this.#followed.get(followed.index) !== followed) return;
    await recheckFolders(tree, toRecheck(tree, marks), recheck.signal, ({ same, differ }) => {
      for (const folder of same) marks.remove(folderId(tree, folder), MARK.unchecked);
      for (const folder of differ) marks.add(folderId(tree, folder), MARK.changed);
    });
  }

  async #setSlice(followed: Followed): Promise<void> {
    const { tree, index, host, marks, trusted } = followed;
    const folders = followed.queue.splice(0, FOLDERS_PER_SLICE);
    const ids = folders.map((folder) => folderId(tree, folder));
    const refused = new Map(await host.add({ index, ids, paths: folders.map(folderPaths(tree)) }));
    // A new generation has queued its own folders in the meantime.
    if (followed.tree.buffer !== tree.buffer || this.#followed.get(index) !== followed)
      return host.drop(index, ids);
    if (!trusted) return;
    for (const [i, id] of ids.entries()) {
      if (refused.has(i)) continue;
      marks.add(id, MARK.watched | MARK.unchecked);
      followed.watched++;
      this.#used++;
    }
    if ([...refused.values()].includes('ENOSPC')) this.#outOfWatches(followed);
  }

  /** The system allows no more watches than there are now. */
  #outOfWatches(followed: Followed): void {
    this.#limit = this.#used;
    followed.queue = [];
    this.#options.log(
      `disk: the system allows ${this.#used} watches; other folders are compared by their change time`,
    );
  }

  #drop(followed: Followed, ids: readonly number[]): void {
    followed.host.drop(followed.index, ids);
    this.#unmark(followed, ids);
  }

  #unmark(followed: Followed, ids: readonly number[]): void {
    for (const id of ids) {
      followed.lookedAt.delete(id);
      if ((followed.marks.get(id) & MARK.watched) === 0) continue;
      followed.marks.remove(id, MARK.watched | MARK.unchecked);
      followed.watched--;
      this.#used--;
    }
  }
}
