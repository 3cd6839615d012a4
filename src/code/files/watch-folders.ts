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

/** Trees with more folders are not watched, because all programs share the system's limit of watches. */
export const MAX_WATCHED_FOLDERS = 60_000;

const QUEUE_LIMIT = '/proc/sys/fs/inotify/max_queued_events';
const USUAL_QUEUE = 16_384;
let queue: number | undefined;

/** The system silently drops events beyond its queue, so more than half a queue at once is not trusted. */
export function maxTrustedNews(): number {
  queue ??= queueLimit();
  return queue / 2;
}

function queueLimit(): number {
  try {
    return Number(readFileSync(QUEUE_LIMIT, 'utf8')) || USUAL_QUEUE;
  } catch {
    return USUAL_QUEUE;
  }
}

/** Starts watching a tree in the way that suits the system. */
export async function watchTree(root: string, news: News): Promise<TreeWatch> {
  return process.platform === 'linux' ? watchFolders(root, news) : await watchByParcel(root, news);
}

/**
 * One inotify watch per folder. The kernel queues an event before the write returns, and the event loop reads
 * the whole queue at its next turn: a search that first lets the loop turn has seen every earlier change.
 * Watchers that collect events for tens of milliseconds cannot promise that.
 */
function watchFolders(root: string, news: News): TreeWatch {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly id: string }>();
  let exact = true;
  const remove = (folder: string) => {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  };
  const hears = ({ path, id }: WatchedFolder) => watchers.get(path)?.id === id;
  const listen = ({ path, id }: WatchedFolder) => {
    remove(path);
    const own = basename(join(root, path));
    const options = { persistent: false, encoding: 'buffer' } as const;
    const watcher = watch(pathOnDisk(join(root, path)), options, (event, bytes) => {
      if (bytes === null) return news(undefined);
      const name = escapedName(bytes);
      if (event === 'rename' && name === own && watchers.get(path)?.watcher === watcher) {
        // The folder itself was moved or deleted, or has an entry with its own name: it must be watched again.
        remove(path);
        news(path === '' ? undefined : path);
      }
      news(path === '' ? name : `${path}/${name}`);
    });
    watcher.on('error', () => {
      // This folder is no longer watched: from now on only a check finds changes.
      exact = false;
      watcher.close();
    });
    watchers.set(path, { watcher, id });
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
      for (const { watcher } of watchers.values()) watcher.close();
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
