import { Worker } from 'node:worker_threads';
import { workerFile } from '../../threads/worker-file.ts';
import { PROVIDERS } from '../providers/index.ts';
import type { LogFolder } from '../providers/log-files.ts';
import type { Provider } from '../providers/provider.ts';
import type {
  Archive,
  FromReader,
  LogSizes,
  ReaderOptions,
  ReadRequest,
  ScanRequest,
  ToReader,
} from './reader-messages.ts';
import { openRequestServer } from './serve-requests.ts';

export interface ReaderEvents {
  readonly changed: (keys: readonly number[]) => void;
  readonly log: (line: string) => void;
}

/** A log that became shorter, with both sizes in bytes. */
export interface ShrunkLog {
  readonly path: string;
  readonly before: number;
  readonly now: number;
}

/** Reads logs and reports its progress. */
export interface LogReader {
  scan(folders: readonly LogFolder[], archive: Archive): Promise<number>;
  read(paths: readonly string[], folders: readonly LogFolder[], archive: Archive): Promise<number>;
  /** Bytes read so far and in total, while something is being read. */
  progress(): { done: number; total: number } | undefined;
  busy(): boolean;
  /** Starts nothing new until the returned function is called; a half-read log continues. */
  hold(): () => void;
  /** Files that could not be read the last time, with the reason. */
  unreadable(): ReadonlyMap<string, string>;
  /** Logs that lost a part and were read again, since this process started. */
  shrunk(): readonly ShrunkLog[];
  /** Resolves when nothing is being read. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const WORKER = new URL('./log-reader.worker.ts', import.meta.url);

/**
 * Reads logs in separate threads. Any list of providers other than PROVIDERS cannot be sent to a thread; then logs are
 * read in this one.
 */
export function startReader(
  database: string,
  providers: readonly Provider[],
  events: ReaderEvents,
): LogReader {
  const held = new Int32Array(new SharedArrayBuffer(4));
  const unreadable = new Map<string, string>();
  const shrunk = new Map<string, ShrunkLog>();
  const logged = new Map<string, string>();
  const failed = (path: string, reason: string) => {
    if (logged.get(path) !== reason) events.log(`session log ${path}: ${reason}`);
    logged.set(path, reason);
    unreadable.set(path, reason);
  };
  const open = (shared: (sizes: LogSizes) => void): RequestQueue => {
    const receive: Receiver = {
      changed: events.changed,
      share: shared,
      unreadable: failed,
      shrunk: (log) => shrunk.set(log.path, log),
    };
    return providers === PROVIDERS
      ? thread(database, held, receive)
      : sameThread(database, providers, receive);
  };
  const main = open(share);
  let helper: RequestQueue | undefined;
  let shared: Promise<unknown> = Promise.resolve();
  let folders: readonly LogFolder[] = [];
  let archive: Archive = { folder: '', on: false, unredacted: false, forgotten: [] };
  const running = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    const forget = () => running.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Starts a second thread for a large first scan; it ends when its share is read. */
  function share(sizes: LogSizes): void {
    helper ??= open(() => {});
    const mine = helper;
    const work = mine
      .ask({ kind: 'read', paths: Object.keys(sizes), folders, archive, sizes })
      .then(async () => {
        if (helper === mine) helper = undefined;
        await mine.close();
      });
    shared = track(work).catch(() => {});
  }

  return {
    scan(given, kept) {
      folders = given;
      archive = kept;
      // What the helper has not read yet would look new. Files that still cannot be read are reported again.
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
    hold() {
      Atomics.add(held, 0, 1);
      return () => {
        Atomics.sub(held, 0, 1);
        Atomics.notify(held, 0);
      };
    },
    unreadable: () => unreadable,
    shrunk: () => [...shrunk.values()],
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
    hold: () => () => {},
    unreadable: () => new Map(),
    shrunk: () => [],
    idle: async () => {},
    close: async () => {},
  };
}

/** Handlers for the messages of a reader. */
interface Receiver {
  readonly changed: (keys: readonly number[]) => void;
  readonly share: (sizes: LogSizes) => void;
  readonly unreadable: (path: string, reason: string) => void;
  readonly shrunk: (log: ShrunkLog) => void;
}

interface RequestQueue {
  /** Bytes read so far and in total for the current request. */
  progress(): { done: number; total: number };
  ask(request: ScanRequest | ReadRequest): Promise<number>;
  close(): Promise<void>;
}

function receive(message: FromReader, to: Receiver): void {
  if (message.kind === 'changed' && message.keys.length > 0) to.changed(message.keys);
  else if (message.kind === 'share') to.share(message.sizes);
  else if (message.kind === 'unreadable') to.unreadable(message.path, message.reason);
  else if (message.kind === 'shrunk') {
    const { path, before, now } = message;
    to.shrunk({ path, before, now });
  }
}

function sameThread(database: string, providers: readonly Provider[], receiver: Receiver): RequestQueue {
  let progress = { done: 0, total: 0 };
  let closed = false;
  const server = openRequestServer(database, providers, (message) => {
    if (closed) throw new Error('stopped');
    if (message.kind === 'progress') progress = { done: message.done, total: message.total };
    else receive(message, receiver);
  });
  // Each request reports the failure itself.
  server.catch(() => {});
  return {
    progress: () => progress,
    ask: async (request) => (await server).serve(request),
    async close() {
      closed = true;
      await (await server).close();
    },
  };
}

/**
 * Does not use src/threads: it must never be ended from outside, since stopping a thread inside SQLite crashes the
 * process. Instead it is asked to stop through shared memory, which it checks even in the middle of a transaction.
 */
function thread(database: string, held: Int32Array, receiver: Receiver): RequestQueue {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ReaderOptions = { database, stop, held };
  let worker: Worker | undefined;
  let progress = { done: 0, total: 0 };
  const waiting: { resolve: (bytes: number) => void; reject: (error: Error) => void }[] = [];

  function start(): Worker {
    if (worker !== undefined) return worker;
    const made = new Worker(workerFile(WORKER), { workerData, name: 'pinhole-sessions' });
    made.on('message', (message: FromReader) => {
      if (message.kind === 'progress') progress = { done: message.done, total: message.total };
      else if (message.kind === 'done') waiting.shift()?.resolve(message.bytes);
      else receive(message, receiver);
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
    ask(request) {
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
      Atomics.notify(held, 0);
      ending.postMessage({ kind: 'stop' } satisfies ToReader);
      await ended;
    },
  };
}
