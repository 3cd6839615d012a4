import type { Tree } from '../tree/disk-tree.ts';
import { folderPaths } from '../tree/folder-paths.ts';
import { MARK, type Marks } from './folder-marks.ts';
import { FolderWatch, type WatchHost, type WatchNews } from './folder-watch.ts';
import { departed, toRecheck, unwatched } from './folders-to-watch.ts';
import { recheckFolders } from './recheck-folders.ts';
import { eventQueue, mountsBelow, tellsAll } from './watch-limits.ts';
import { WatchProcess } from './watch-process.ts';

/** Folders told to a host at a time: a few milliseconds of work on both sides. */
const SLICE = 1_000;
/** An index with fewer folders is watched in this process. */
const SMALL = 2_000;
/** Folders that were looked at last, watched even where not all can be. */
const MOST_LOOKED_AT = 200;
const RESTART_MS = 60_000;

export interface TreeWatchOptions {
  /** How many folders may be watched, of all indexes together; 0: none. */
  readonly limit: number;
  readonly log: (line: string) => void;
  /** The length of the system's queue of events, if not as it says. */
  readonly queue?: number | undefined;
  /** From how many folders on an index is watched in a process of its own. */
  readonly small?: number | undefined;
}

interface Followed {
  readonly index: number;
  readonly marks: Marks;
  readonly host: WatchHost;
  /** True when watches here tell of everything; else they are hints. */
  readonly trusted: boolean;
  tree: Tree;
  mounts: string;
  watched: number;
  queue: number[];
  recheck: AbortController;
  working: Promise<void> | undefined;
  /** True: something came up that the work under way may have passed already. */
  again: boolean;
  readonly lookedAt: Set<number>;
}

/** Watches the folders of indexes as far as the system allows, and keeps the marks on them. */
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

  /** The process that watches large indexes, to be measured. */
  get pid(): number | undefined {
    return this.#away?.pid;
  }

  /** Watches the folders of a tree from now on; a later generation takes the place of an earlier one. */
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
    const room = this.#limit - MOST_LOOKED_AT - this.#used;
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
      [...followed.tree.dirRow].map((row) => followed.tree.id[row] ?? 0),
    );
  }

  /** Tells that someone looked at a folder: it is watched even where there are too many. */
  lookedAt(index: number, folder: number): void {
    const followed = this.#followed.get(index);
    if (followed === undefined) return;
    const { lookedAt, tree, marks } = followed;
    const id = tree.id[tree.dirRow[folder] ?? 0] ?? 0;
    if ((marks.get(id) & MARK.watched) !== 0 || lookedAt.has(id)) return;
    lookedAt.add(id);
    const [oldest] = lookedAt;
    if (lookedAt.size > MOST_LOOKED_AT && oldest !== undefined) this.#drop(followed, [oldest]);
    followed.queue.push(folder);
    this.#work(followed);
  }

  /** Resolves when everything that happened in an index until now is in its marks. */
  async flush(index: number): Promise<void> {
    const followed = this.#followed.get(index);
    if (followed === undefined) return;
    await followed.host.flush();
    const mounts = mountsBelow(followed.tree.meta.root);
    if (mounts === followed.mounts) return;
    followed.mounts = mounts;
    this.#doubt(followed);
  }

  /** Resolves when every watch that can be set is set and what happened before was looked for. */
  async ready(index: number): Promise<void> {
    // The work itself holds no process open; whoever waits for it does.
    const hold = setInterval(() => undefined, 60_000);
    for (let followed = this.#followed.get(index); followed?.working; followed = this.#followed.get(index))
      await followed.working;
    clearInterval(hold);
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
    const small = tree.meta.dirs < (this.#options.small ?? SMALL);
    const trusted = tellsAll(root, options);
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
      heard: (index, ids) => {
        const marks = this.#followed.get(index)?.marks;
        for (const id of ids) marks?.add(id, MARK.heard);
      },
      lost: (index, ids) => {
        const followed = this.#followed.get(index);
        if (followed === undefined) return;
        this.#unmark(followed, ids);
        for (const id of ids) followed.marks.add(id, MARK.heard);
      },
      overflow: () => {
        this.#options.log(
          'disk: more changes at once than the system tells; watched folders are looked at again',
        );
        for (const followed of this.#followed.values()) this.#doubt(followed);
      },
    };
  }

  #doubt(followed: Followed): void {
    followed.marks.doubt();
    followed.recheck.abort();
    followed.recheck = new AbortController();
    this.#work(followed);
  }

  /** The other process died: nothing there is watched, and it is tried again unless it died at once. */
  #awayEnded(): void {
    const host = this.#away;
    this.#away = undefined;
    const again = Date.now() - this.#awayStarted > RESTART_MS;
    this.#options.log(`disk: the watching process ended${again ? '; another one is started' : ''}`);
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
      const idOf = (folder: number) => tree.id[tree.dirRow[folder] ?? 0] ?? 0;
      for (const folder of same) marks.remove(idOf(folder), MARK.unchecked);
      for (const folder of differ) marks.add(idOf(folder), MARK.heard);
    });
  }

  async #setSlice(followed: Followed): Promise<void> {
    const { tree, index, host, marks, trusted } = followed;
    const folders = followed.queue.splice(0, SLICE);
    const ids = folders.map((folder) => tree.id[tree.dirRow[folder] ?? 0] ?? 0);
    const refused = new Map(await host.add({ index, ids, paths: folders.map(folderPaths(tree)) }));
    // A generation that came meanwhile has queued what it wants itself.
    if (followed.tree.buffer !== tree.buffer || this.#followed.get(index) !== followed)
      return host.drop(index, ids);
    if (!trusted) return;
    for (const [at, id] of ids.entries()) {
      if (refused.has(at)) continue;
      marks.add(id, MARK.watched | MARK.unchecked);
      followed.watched++;
      this.#used++;
    }
    if ([...refused.values()].includes('ENOSPC')) this.#full(followed);
  }

  /** The system grants no more watches than there are now. */
  #full(followed: Followed): void {
    this.#limit = this.#used;
    followed.queue = [];
    this.#options.log(`disk: the system grants ${this.#used} watches; other folders are compared by time`);
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
