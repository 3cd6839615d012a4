import { type FSWatcher, watch } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { AsyncSubscription } from '@parcel/watcher';
import { errorText } from '../contract/errors.ts';
import { answeringFolders, BRIEF, type Patience } from './ingest/answering-folders.ts';
import type { LogFolder } from './providers/log-files.ts';

export interface LogWatch {
  close(): Promise<void>;
}

const GATHER_MS = 10;
/**
 * How many recently changed logs get their own watcher, because a folder's watcher delays its reports to batch them.
 */
const MAX_FILE_WATCHERS = 16;
/** How often to check for folders that were created, or created again. */
const CHECK_FOLDERS_MS = 1_000;
/** How often to scan everything when a folder cannot be watched. */
const SCAN_EVERY_MS = 5_000;

/**
 * Reports changed files below the log folders within a few milliseconds. Checks regularly for folders that do not exist
 * yet. If a folder cannot be watched, everything is scanned from time to time.
 */
export async function watchLogs(
  folders: readonly LogFolder[],
  changed: (paths: readonly string[]) => void,
  scan: () => void,
  log: (line: string) => void,
  patience: Patience = BRIEF,
): Promise<LogWatch> {
  const watched = new Map<string, { readonly subscription: AsyncSubscription; readonly inode: number }>();
  const unwatched = new Set<string>();
  let pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const flush = () => {
    timer = undefined;
    const paths = [...pending];
    pending = new Set();
    changed(paths);
  };
  const note = (path: string) => {
    pending.add(path);
    timer ??= setTimeout(flush, GATHER_MS);
  };

  const fileWatchers = new Map<string, FSWatcher>();
  const unwatchFile = (path: string) => {
    fileWatchers.get(path)?.close();
    fileWatchers.delete(path);
  };
  function watchFile(path: string): void {
    if (fileWatchers.has(path)) return;
    try {
      const watcher = watch(path, { persistent: false }, (kind) =>
        kind === 'rename' ? unwatchFile(path) : note(path),
      );
      watcher.on('error', () => unwatchFile(path));
      fileWatchers.set(path, watcher);
    } catch {
      // Already deleted, or no watches left: the folder's watcher still sees it.
    }
    const [oldest] = fileWatchers.keys();
    if (fileWatchers.size > MAX_FILE_WATCHERS && oldest !== undefined) unwatchFile(oldest);
  }

  /** Some agents keep their logs in a file inside a project, and watching the whole project is not our business. */
  function watchOneFile(path: string, inode: number): void {
    const watcher = watch(path, { persistent: false }, () => note(path));
    watcher.on('error', () => leave(path));
    const unsubscribe = async () => watcher.close();
    watched.set(path, { subscription: { unsubscribe }, inode });
  }

  async function subscribe(path: string): Promise<void> {
    const stats = await stat(path);
    const inode = stats.ino;
    if (stats.isFile()) return watchOneFile(path, inode);
    // Loaded late: short commands do not need this native module.
    const { default: watcher } = await import('@parcel/watcher');
    // Only the target of a link can be watched; paths are reported as they are below the link.
    const real = await realpath(path);
    const subscription = await watcher.subscribe(real, (error, events) => {
      if (error !== null || closed) return;
      for (const event of events) {
        if (event.type === 'delete') continue;
        const here = real === path ? event.path : `${path}${event.path.slice(real.length)}`;
        note(here);
        watchFile(here);
      }
      const gone = events.filter((event) => event.type === 'delete');
      if (gone.length > 0) scan();
      if (gone.some((event) => event.path === real)) leave(path);
    });
    if (closed) await subscription.unsubscribe();
    else watched.set(path, { subscription, inode });
  }

  /** A watcher does not notice a new folder at its own path. */
  function leave(path: string): void {
    const { subscription } = watched.get(path) ?? {};
    watched.delete(path);
    subscription?.unsubscribe().catch(() => {});
  }

  /** Folders on a drive that hangs are left alone: even asking whether they exist would stop this process. */
  const answering = () => answeringFolders(folders, () => {}, patience);

  async function subscribeAll(): Promise<boolean> {
    let fresh = false;
    const others = (await answering()).filter(({ path }) => !watched.has(path));
    for (const { path } of await answeringFolders(others, () => {})) {
      if (watched.has(path) || (await inodeOf(path)) === undefined) continue;
      try {
        await subscribe(path);
        fresh = true;
      } catch (error) {
        if (unwatched.has(path)) continue;
        unwatched.add(path);
        log(`cannot watch ${path}: ${errorText(error)}`);
      }
    }
    return fresh;
  }

  await subscribeAll();
  let scannedAt = Date.now();
  async function check(): Promise<void> {
    const paths = (await answering()).map(({ path }) => path);
    const inodes = new Map(
      await Promise.all(paths.map(async (path) => [path, await inodeOf(path)] as const)),
    );
    for (const [path, { inode }] of watched) if (inodes.has(path) && inodes.get(path) !== inode) leave(path);
    if (!paths.some((path) => !watched.has(path) && inodes.get(path) !== undefined)) return;
    const fresh = await subscribeAll();
    const due = Date.now() - scannedAt > SCAN_EVERY_MS;
    if (closed || !(fresh || due)) return;
    scannedAt = Date.now();
    scan();
  }
  let isChecking = false;
  const checking = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void check().finally(() => {
      isChecking = false;
    });
  }, CHECK_FOLDERS_MS);
  checking.unref();

  return {
    async close() {
      closed = true;
      clearInterval(checking);
      clearTimeout(timer);
      for (const path of [...fileWatchers.keys()]) unwatchFile(path);
      await Promise.all([...watched.values()].map(({ subscription }) => subscription.unsubscribe()));
    },
  };
}

async function inodeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).ino;
  } catch {
    return undefined;
  }
}
