import { at } from '../../contract/at.ts';
import { type FolderHandle, folderWatcher, type WatchFolder } from './watch-handle.ts';

/** Receives what the watches report, as node ids per index. */
export interface WatchNews {
  /** Something changed in these folders. */
  changed(index: number, ids: readonly number[]): void;
  /** These folders were moved or deleted and are no longer watched. */
  lost(index: number, ids: readonly number[]): void;
  /** So much happened at once that some events may be lost. */
  overflow(): void;
}

/** Folders to start watching. */
export interface WatchOrder {
  readonly index: number;
  readonly ids: readonly number[];
  /** As raw text, see scan/raw-text.ts. */
  readonly paths: readonly string[];
}

/** A folder that could not be watched: its position in the order, and the system's error code. */
export type Refused = readonly [place: number, code: string];

/** Watches many folders, in this process or in another one. */
export interface WatchHost {
  add(order: WatchOrder): Promise<readonly Refused[]>;
  drop(index: number, ids: readonly number[]): void;
  /** Resolves when everything that happened before the call has been reported. */
  flush(): Promise<void>;
  close(): void;
}

/** Watches folders in this process. */
export class FolderWatch implements WatchHost {
  readonly #folders = new Map<number, Map<number, FolderHandle>>();
  readonly #news: WatchNews;
  readonly #watch: WatchFolder;
  readonly #maxEvents: number;
  /** The events since the last turn of the event loop, and their folders. */
  #events = 0;
  readonly #changed = new Set<FolderHandle>();
  readonly #lost = new Set<FolderHandle>();

  /** The system queues `queue` events for this process and silently drops any more. */
  constructor(news: WatchNews, queue: number) {
    this.#news = news;
    this.#maxEvents = Math.max(1, Math.floor(queue / 2));
    this.#watch = folderWatcher((folder, self) => this.#on(folder, self));
  }

  async add({ index, ids, paths }: WatchOrder): Promise<readonly Refused[]> {
    const folders = this.#folders.get(index) ?? new Map<number, FolderHandle>();
    this.#folders.set(index, folders);
    const refused: Refused[] = [];
    for (const [i, id] of ids.entries()) {
      folders.get(id)?.close();
      const handle = this.#watch({ index, id }, at(paths, i));
      if (typeof handle === 'string') refused.push([i, handle]);
      else folders.set(id, handle);
    }
    return refused;
  }

  drop(index: number, ids: readonly number[]): void {
    const folders = this.#folders.get(index);
    for (const id of ids) {
      folders?.get(id)?.close();
      folders?.delete(id);
    }
  }

  async flush(): Promise<void> {
    // A full turn of the event loop reads everything in the system's queue; it is reported after that.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  }

  close(): void {
    for (const folders of this.#folders.values()) for (const handle of folders.values()) handle.close();
    this.#folders.clear();
  }

  #on(folder: FolderHandle, self: boolean): void {
    if (this.#events++ === 0) setImmediate(() => this.#report());
    (self ? this.#lost : this.#changed).add(folder);
  }

  #report(): void {
    const overflow = this.#events >= this.#maxEvents;
    this.#events = 0;
    for (const [index, ids] of byIndex(this.#changed)) this.#news.changed(index, ids);
    // A folder that got a new watch in the meantime is not lost.
    const lost = [...this.#lost].filter(
      (folder) => this.#folders.get(folder.index)?.get(folder.id) === folder,
    );
    for (const [index, ids] of byIndex(lost)) {
      this.drop(index, ids);
      this.#news.lost(index, ids);
    }
    this.#changed.clear();
    this.#lost.clear();
    if (overflow) this.#news.overflow();
  }
}

function byIndex(folders: Iterable<FolderHandle>): Map<number, number[]> {
  const ids = new Map<number, number[]>();
  for (const { index, id } of folders) {
    const list = ids.get(index);
    if (list === undefined) ids.set(index, [id]);
    else list.push(id);
  }
  return ids;
}
