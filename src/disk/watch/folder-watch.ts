import { type FolderHandle, folderWatcher, type WatchFolder } from './watch-handle.ts';

/** What watches have to tell, in pieces: node ids by index. */
export interface WatchNews {
  /** Something changed in these folders. */
  heard(index: number, ids: readonly number[]): void;
  /** These folders moved or are gone; they are watched no more. */
  lost(index: number, ids: readonly number[]): void;
  /** So much happened at once that some of it may not have been told. */
  overflow(): void;
}

/** Which folders to begin to watch. */
export interface WatchOrder {
  readonly index: number;
  readonly ids: readonly number[];
  /** As raw text, see scan/raw-text.ts. */
  readonly paths: readonly string[];
}

/** A folder that could not be watched, by its place in the order, with the system's code. */
export type Refused = readonly [at: number, code: string];

/** Watches on many folders. They stand in this process or in another one. */
export interface WatchHost {
  add(order: WatchOrder): Promise<readonly Refused[]>;
  drop(index: number, ids: readonly number[]): void;
  /** Resolves when everything that happened before the call has been told. */
  flush(): Promise<void>;
  close(): void;
}

/** Watches folders in this process. */
export class FolderWatch implements WatchHost {
  readonly #folders = new Map<number, Map<number, FolderHandle>>();
  readonly #news: WatchNews;
  readonly #watch: WatchFolder;
  readonly #mostEvents: number;
  /** Since the last turn of the loop: events, and the folders they are about. */
  #events = 0;
  readonly #heard = new Set<FolderHandle>();
  readonly #lost = new Set<FolderHandle>();

  /** The system keeps `queue` events for us and then drops them without a word that would reach us. */
  constructor(news: WatchNews, queue: number) {
    this.#news = news;
    this.#mostEvents = Math.max(1, Math.floor(queue / 2));
    this.#watch = folderWatcher((folder, self) => this.#on(folder, self));
  }

  async add({ index, ids, paths }: WatchOrder): Promise<readonly Refused[]> {
    const folders = this.#folders.get(index) ?? new Map<number, FolderHandle>();
    this.#folders.set(index, folders);
    const refused: Refused[] = [];
    for (const [at, id] of ids.entries()) {
      folders.get(id)?.close();
      const handle = this.#watch({ index, id }, paths[at] ?? '');
      if (typeof handle === 'string') refused.push([at, handle]);
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
    // One whole turn of the loop: all that waits in the system's queue is read in it, and told after it.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  }

  close(): void {
    for (const folders of this.#folders.values()) for (const handle of folders.values()) handle.close();
    this.#folders.clear();
  }

  #on(folder: FolderHandle, self: boolean): void {
    if (this.#events++ === 0) setImmediate(() => this.#tell());
    (self ? this.#lost : this.#heard).add(folder);
  }

  #tell(): void {
    const overflow = this.#events >= this.#mostEvents;
    this.#events = 0;
    for (const [index, ids] of byIndex(this.#heard)) this.#news.heard(index, ids);
    // One that was given another watch meanwhile is not lost.
    const lost = [...this.#lost].filter(
      (folder) => this.#folders.get(folder.index)?.get(folder.id) === folder,
    );
    for (const [index, ids] of byIndex(lost)) {
      this.drop(index, ids);
      this.#news.lost(index, ids);
    }
    this.#heard.clear();
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
