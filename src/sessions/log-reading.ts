import { errorText } from '../contract/errors.ts';
import type { Database } from '../store/database.ts';
import type { ArchiveSetting } from './archive/archive-setting.ts';
import { followSession, type SessionChange } from './follow.ts';
import type { LogReader, ReaderEvents } from './ingest/log-reader.ts';
import type { LogFolder } from './providers/log-files.ts';
import { indexHealth } from './store/index-health.ts';
import type { SessionRow } from './store/session-row.ts';
import { type LogWatch, watchLogs } from './watch-logs.ts';

/** How far the index lags behind the logs. */
export interface Freshness {
  readonly fresh: boolean;
  readonly done?: number | undefined;
  readonly total?: number | undefined;
}

/** Faster than any machine reads logs. */
const FAST_BYTES_PER_MS = 100_000;

export interface LogReadingDeps {
  readonly folders: readonly LogFolder[];
  readonly archive: ArchiveSetting;
  readonly log: (line: string) => void;
  readonly watch: boolean;
}

export type LogReading = ReturnType<typeof logReading>;

/** Keeps the index up to date with the log folders, and reports its progress. */
export function logReading(
  db: Database,
  makeReader: (events: ReaderEvents) => LogReader,
  { folders, archive, log, watch }: LogReadingDeps,
) {
  const listeners = new Set<(keys: readonly number[]) => void>();
  const reader = makeReader({
    changed: (keys) => {
      for (const listener of listeners) listener(keys);
    },
    log,
  });
  const report = (error: unknown) => log(`session logs: ${errorText(error)}`);
  let scanning: Promise<void> | undefined;
  let wanted = false;
  let closed = false;

  /** Scans all folders. Scans do not overlap: a request during a scan starts another one after it. */
  function scan(): Promise<void> {
    wanted = true;
    scanning ??= (async () => {
      while (wanted && !closed) {
        wanted = false;
        await reader.scan(folders, archive.state()).catch(report);
      }
      scanning = undefined;
    })();
    return scanning;
  }

  function onChange(listener: (keys: readonly number[]) => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  void scan();
  const changed = (paths: readonly string[]) =>
    void reader.read(paths, folders, archive.state()).catch(report);
  // It takes a moment to start watching large folders. Nothing waits for it; a scan afterwards finds what was missed.
  const watching: Promise<LogWatch | undefined> = watch
    ? watchLogs(folders, changed, () => void scan(), log).then(
        (begun) => {
          void scan();
          return begun;
        },
        (error: unknown) => {
          report(error);
          return undefined;
        },
      )
    : Promise.resolve(undefined);

  return {
    folders,
    busy: reader.busy,
    hold: reader.hold,
    /** Whether no log has been read yet. */
    isNew: async () => reader.busy() && (await db.get('SELECT 1 FROM files LIMIT 1')) === undefined,
    /** Bytes read and bytes to read, while logs are being read. */
    progress: reader.progress,
    scan,
    /** Scans all log folders and waits until every log has been read. */
    async refresh(): Promise<void> {
      await scan();
      await reader.idle();
    },
    /** Waits briefly for reading in progress, unless it cannot finish in time; returns how far it is. */
    async settled(ms: number): Promise<Freshness> {
      if (!reader.busy()) return { fresh: true };
      const { done, total } = reader.progress() ?? { done: 0, total: 0 };
      if (total - done > ms * FAST_BYTES_PER_MS) return { fresh: false, done, total };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([reader.idle(), late]);
      clearTimeout(timer);
      return reader.busy() ? { fresh: false, ...reader.progress() } : { fresh: true };
    },
    /** Files that cannot be read, with the reason. */
    unreadable: () => [...reader.unreadable()].map(([path, reason]) => ({ path, reason })),
    /** Logs that became shorter and were read again. */
    shrunk: reader.shrunk,
    health: indexHealth(db),
    /** Calls back with the keys of sessions that changed. */
    onChange,
    /** Notifies all listeners that sessions changed. */
    changed: (keys: readonly number[]) => {
      for (const listener of listeners) listener(keys);
    },
    /** Calls back with every change of a session and its subagents, until the returned function is called. */
    follow: (session: SessionRow, listener: (change: SessionChange) => void) =>
      followSession(db, onChange, session, listener),
    async close(): Promise<void> {
      closed = true;
      await (await watching)?.close();
      await reader.close();
    },
  };
}
