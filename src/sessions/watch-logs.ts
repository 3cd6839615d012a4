import { existsSync, type FSWatcher, realpathSync, statSync, watch } from 'node:fs';
import type { AsyncSubscription } from '@parcel/watcher';
import { errorText } from '../contract/errors.ts';
import type { LogFolder } from './providers/log-files.ts';

export interface Live {
  close(): Promise<void>;
}

const GATHER_MS = 10;
/** So many logs that changed lately are watched one by one: the folder's watcher is slower by its own gathering. */
const HOT_FILES = 16;
/** How soon the first log of a newly installed client is seen, or of one whose folder was made anew. */
const LOOK_AGAIN_MS = 1_000;
/** Without a working watcher all folders are looked through this often. */
const LOOK_THROUGH_MS = 5_000;

/**
 * Tells which files below the log folders changed, a few milliseconds after it happened. Folders that do not exist
 * yet, or were taken away, are looked for again. Without a working watcher everything is looked through from time to time.
 */
export async function watchLogs(
  folders: readonly LogFolder[],
  changed: (paths: readonly string[]) => void,
  lookThrough: () => void,
  log: (line: string) => void,
): Promise<Live> {
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

  const hot = new Map<string, FSWatcher>();
  const cool = (path: string) => {
    hot.get(path)?.close();
    hot.delete(path);
  };
  function heat(path: string): void {
    if (hot.has(path)) return;
    try {
      const watcher = watch(path, { persistent: false }, (kind) =>
        kind === 'rename' ? cool(path) : note(path),
      );
      watcher.on('error', () => cool(path));
      hot.set(path, watcher);
    } catch {
      // Gone already, or no more watches: the folder's watcher still sees it.
    }
    const [oldest] = hot.keys();
    if (hot.size > HOT_FILES && oldest !== undefined) cool(oldest);
  }

  async function subscribe(path: string): Promise<void> {
    // Native and not needed by short commands: loaded when something is watched.
    const { default: watcher } = await import('@parcel/watcher');
    // A folder that is a link cannot be watched itself; what it points to can, and keeps the names it has here.
    const real = realpathSync(path);
    const inode = inodeOf(path) ?? 0;
    const subscription = await watcher.subscribe(real, (error, events) => {
      if (error !== null || closed) return;
      for (const event of events) {
        if (event.type === 'delete') continue;
        const here = real === path ? event.path : `${path}${event.path.slice(real.length)}`;
        note(here);
        heat(here);
      }
      const gone = events.filter((event) => event.type === 'delete');
      if (gone.length > 0) lookThrough();
      if (gone.some((event) => event.path === real)) leave(path);
    });
    if (closed) await subscription.unsubscribe();
    else watched.set(path, { subscription, inode });
  }

  /** A watcher sees nothing of a folder that takes the place of its own. */
  function leave(path: string): void {
    const { subscription } = watched.get(path) ?? {};
    watched.delete(path);
    subscription?.unsubscribe().catch(() => {});
  }

  async function subscribeAll(): Promise<boolean> {
    let fresh = false;
    for (const path of new Set(folders.map((folder) => folder.path))) {
      if (watched.has(path) || !existsSync(path)) continue;
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
  let lookedThrough = Date.now();
  const again = setInterval(() => {
    for (const [path, { inode }] of watched) if (inodeOf(path) !== inode) leave(path);
    if (!folders.some(({ path }) => !watched.has(path) && existsSync(path))) return;
    void subscribeAll().then((fresh) => {
      const late = Date.now() - lookedThrough > LOOK_THROUGH_MS;
      if (closed || !(fresh || late)) return;
      lookedThrough = Date.now();
      lookThrough();
    });
  }, LOOK_AGAIN_MS);
  again.unref();

  return {
    async close() {
      closed = true;
      clearInterval(again);
      clearTimeout(timer);
      for (const path of [...hot.keys()]) cool(path);
      await Promise.all([...watched.values()].map(({ subscription }) => subscription.unsubscribe()));
    },
  };
}

function inodeOf(path: string): number | undefined {
  try {
    return statSync(path).ino;
  } catch {
    return undefined;
  }
}
