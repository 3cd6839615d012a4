import { Worker } from 'node:worker_threads';
import { workerFile } from '../../threads/worker-file.ts';
import type { LogFolder } from '../providers/log-files.ts';
import type { Archive, FromReader, ReaderOptions, ToReader } from './reader-messages.ts';

export interface ReaderEvents {
  readonly changed: (keys: readonly number[]) => void;
  readonly log: (line: string) => void;
}

/** The owner's side of the threads that read logs. */
export interface LogReader {
  scan(folders: readonly LogFolder[], archive: Archive): Promise<number>;
  read(paths: readonly string[], folders: readonly LogFolder[], archive: Archive): Promise<number>;
  /** Bytes read and to read, while something is being read. */
  progress(): { done: number; total: number } | undefined;
  busy(): boolean;
  /** Files that could not be read when they were last looked at, with the reason. */
  unreadable(): ReadonlyMap<string, string>;
  /** Resolves when nothing is being read. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const WORKER = new URL('./log-reader.worker.ts', import.meta.url);

export function startReader(database: string, events: ReaderEvents): LogReader {
  const unreadable = new Map<string, string>();
  const told = new Map<string, string>();
  const failed = (path: string, reason: string) => {
    if (told.get(path) !== reason) events.log(`session log ${path}: ${reason}`);
    told.set(path, reason);
    unreadable.set(path, reason);
  };
  const main = thread(database, events, share, failed);
  let helper: ReturnType<typeof thread> | undefined;
  let shared: Promise<unknown> = Promise.resolve();
  let folders: readonly LogFolder[] = [];
  let archive: Archive = { folder: '', on: false };
  const running = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    const forget = () => running.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** A second thread for a large first scan; it ends with its share. */
  function share(paths: readonly string[]): void {
    helper ??= thread(database, events, () => {}, failed);
    const mine = helper;
    const work = mine.ask({ kind: 'read', paths, folders, archive }).then(async () => {
      if (helper === mine) helper = undefined;
      await mine.close();
    });
    shared = track(work).catch(() => {});
  }

  return {
    scan(given, kept) {
      folders = given;
      archive = kept;
      // What the other thread has not read yet would look new. What still cannot be read is told again.
      const begun = shared.then(() => {
        unreadable.clear();
        return main.ask({ kind: 'scan', folders: given, archive });
      });
      return track(begun);
    },
    read: (paths, given, kept) => track(main.ask({ kind: 'read', paths, folders: given, archive: kept })),
    progress() {
      if (running.size === 0) return undefined;
      const parts = [main.progress(), helper?.progress()].filter((part) => part !== undefined);
      return {
        done: parts.reduce((sum, part) => sum + part.done, 0),
        total: parts.reduce((sum, part) => sum + part.total, 0),
      };
    },
    busy: () => running.size > 0,
    unreadable: () => unreadable,
    async idle() {
      while (running.size > 0) await Promise.allSettled([...running]);
    },
    async close() {
      await Promise.all([main.close(), helper?.close()]);
    },
  };
}

/** Reads nothing: for an index that another process keeps up to date. */
export function idleReader(): LogReader {
  return {
    scan: async () => 0,
    read: async () => 0,
    progress: () => undefined,
    busy: () => false,
    unreadable: () => new Map(),
    idle: async () => {},
    close: async () => {},
  };
}

/**
 * Not one of src/threads: it must never be ended from outside, since stopping a thread inside SQLite takes the process
 * down, so it is asked through shared memory, which it looks at in the middle of a transaction.
 */
function thread(
  database: string,
  events: ReaderEvents,
  share: (paths: readonly string[]) => void,
  unreadable: (path: string, reason: string) => void,
) {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ReaderOptions = { database, stop };
  let worker: Worker | undefined;
  let progress = { done: 0, total: 0 };
  const waiting: { resolve: (bytes: number) => void; reject: (error: Error) => void }[] = [];

  function start(): Worker {
    if (worker !== undefined) return worker;
    const made = new Worker(workerFile(WORKER), { workerData, name: 'pinhole-sessions' });
    made.on('message', (message: FromReader) => {
      if (message.kind === 'changed' && message.keys.length > 0) events.changed(message.keys);
      else if (message.kind === 'progress') progress = { done: message.done, total: message.total };
      else if (message.kind === 'share') share(message.paths);
      else if (message.kind === 'unreadable') unreadable(message.path, message.reason);
      else if (message.kind === 'done') waiting.shift()?.resolve(message.bytes);
    });
    const gone = (error: Error) => {
      if (worker === made) worker = undefined;
      for (const { reject } of waiting.splice(0)) reject(error);
    };
    made.on('error', gone);
    made.on('exit', () => gone(new Error('the thread that reads session logs has ended')));
    worker = made;
    return made;
  }

  return {
    progress: () => progress,
    ask(request: ToReader): Promise<number> {
      return new Promise((resolve, reject) => {
        Atomics.store(stop, 0, 0);
        const target = start();
        waiting.push({ resolve, reject });
        target.postMessage(request);
      });
    },
    async close() {
      const ending = worker;
      worker = undefined;
      for (const { resolve } of waiting.splice(0)) resolve(0);
      if (ending === undefined) return;
      const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
      Atomics.store(stop, 0, 1);
      ending.postMessage({ kind: 'stop' } satisfies ToReader);
      await ended;
    },
  };
}
