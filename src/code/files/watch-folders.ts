import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { escapedName, pathOnDisk } from '../../contract/file-name.ts';

/** Reports a change: its path relative to the root, or undefined for "check everything". */
export type News = (path: string | undefined) => void;

/** A folder of a tree to watch. */
export interface WatchedFolder {
  /** Relative to the root, '' for the root itself. */
  readonly path: string;
  /** Differs when another folder takes its place, which the watch of the first folder does not report. */
  readonly id: string;
}

/** Watches a tree. */
export interface TreeWatch {
  /** Whether a change is reported before any search that comes after it; then no sweep is needed. */
  readonly exact: boolean;
  /**
   * Watches these folders too; true if some were not watched before, so that they must be read again.
   * Throws if the system allows no more watches.
   */
  add(folders: Iterable<WatchedFolder>): boolean;
  /** Whether a change in this same folder would be reported. */
  hears(folder: WatchedFolder): boolean;
  /** Stops watching a folder that was deleted. */
  remove(folder: string): void;
  close(): Promise<void>;
}

/** All programs share the system's limit on watches; this many are left to others. */
const WATCHES_OF_OTHERS = 65_536;
/** How many folders any tree may try to watch, and the most that one tree takes: each watch costs about a kilobyte. */
const WATCHES = { least: 60_000, most: 200_000 };

/** Trees with more folders are not watched. */
export function maxWatchedFolders(): number {
  watches ??= systemLimit(WATCH_LIMIT, 0);
  return Math.min(WATCHES.most, Math.max(WATCHES.least, watches - WATCHES_OF_OTHERS));
}

const QUEUE_LIMIT = '/proc/sys/fs/inotify/max_queued_events';
const WATCH_LIMIT = '/proc/sys/fs/inotify/max_user_watches';
const USUAL_QUEUE = 16_384;
let queue: number | undefined;
let watches: number | undefined;

/** The system silently drops events beyond its queue, so more than half a queue at once is not trusted. */
export function maxTrustedNews(): number {
  queue ??= systemLimit(QUEUE_LIMIT, USUAL_QUEUE);
  return queue / 2;
}

function systemLimit(file: string, usual: number): number {
  try {
    return Number(readFileSync(file, 'utf8')) || usual;
  } catch {
    return usual;
  }
}

/** Starts watching a tree in the way that suits the system. */
export async function watchTree(root: string, news: News): Promise<TreeWatch> {
  return process.platform === 'linux' ? watchFolders(root, news) : await watchByParcel(root, news);
}

const OPTIONS = { persistent: false, encoding: 'buffer' } as const;

/** A watcher that knows its folder. */
type FolderWatcher = FSWatcher & { readonly path: string; readonly folderId: string };

/**
 * One inotify watch per folder. The kernel queues an event before the write returns, and the event loop reads
 * the whole queue at its next turn: a search that first lets the loop turn has seen every earlier change.
 * Watchers that collect events for tens of milliseconds cannot promise that.
 */
function watchFolders(root: string, news: News): TreeWatch {
  const watchers = new Map<string, FolderWatcher>();
  let exact = true;
  const remove = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const hears = ({ path, id }: WatchedFolder) => watchers.get(path)?.folderId === id;
  // The same two functions for all folders: with their own, a hundred thousand of them would take 20 MB more.
  function onChange(this: FolderWatcher, event: string, bytes: Buffer | null): void {
    const { path } = this;
    if (bytes === null) {
      news(undefined);
      return;
    }
    const name = escapedName(bytes);
    if (event === 'rename' && name === basename(join(root, path)) && watchers.get(path) === this) {
      // The folder itself was moved or deleted, or has an entry with its own name: it must be watched again.
      remove(path);
      news(path === '' ? undefined : path);
    }
    news(path === '' ? name : `${path}/${name}`);
  }
  function onError(this: FolderWatcher): void {
    // This folder is no longer watched: from now on only a check finds changes.
    exact = false;
    this.close();
  }
  const listen = ({ path, id }: WatchedFolder) => {
    remove(path);
    const watcher = Object.assign(watch(pathOnDisk(join(root, path)), OPTIONS), { path, folderId: id });
    watcher.on('change', onChange);
    watcher.on('error', onError);
    watchers.set(path, watcher);
  };
  return {
    get exact() {
      return exact;
    },
    add(folders) {
      let added = false;
      for (const folder of folders) {
        if (hears(folder)) continue;
        added = true;
        try {
          listen(folder);
        } catch (error) {
          // Deleted since it was seen; the next check finds what is there now.
          if (!isGone(error)) throw error;
          news(folder.path === '' ? undefined : folder.path);
        }
      }
      return added;
    },
    hears,
    remove,
    async close() {
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** The native watcher of other systems; it reports changes some tens of milliseconds late. */
async function watchByParcel(root: string, news: News): Promise<TreeWatch> {
  const parcel = await import('@parcel/watcher');
  const subscription = await parcel.subscribe(
    root,
    (error, events) => {
      if (error !== null) news(undefined);
      for (const event of events) news(event.path.slice(root.length + 1).replaceAll('\\', '/'));
    },
    { ignore: ['**/.git/objects/**', '**/node_modules/**'] },
  );
  return {
    exact: false,
    add: () => false,
    hears: () => true,
    remove() {},
    close: () => subscription.unsubscribe(),
  };
}
