import { createHash } from 'node:crypto';
import type { LogFolder } from '../providers/log-files.ts';

/** Where copies of logs are, and whether new ones are made. */
export interface Archive {
  readonly folder: string;
  readonly on: boolean;
  /** Copies keep their secrets, at somebody's request. */
  readonly unredacted: boolean;
  /** {@link logHash} of logs that must not be read again. */
  readonly forgotten: readonly string[];
}

/** Identifies a forgotten log: not even its name is kept. */
export function logHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}

/** Scan the folders for new, changed and deleted logs. */
export interface ScanRequest {
  readonly kind: 'scan';
  readonly folders: readonly LogFolder[];
  readonly archive: Archive;
}

/** Bytes of logs by their paths. */
export type LogSizes = Readonly<Record<string, number>>;

/** Read these logs if they changed. */
export interface ReadRequest {
  readonly kind: 'read';
  readonly paths: readonly string[];
  readonly folders: readonly LogFolder[];
  readonly archive: Archive;
  /** Sizes of logs that have not been read before: what a log grew by is not worth a progress report. */
  readonly sizes?: LogSizes | undefined;
}

/** Requests to the thread that reads logs; `stop` closes the index and ends the thread. */
export type ToReader = ScanRequest | ReadRequest | { readonly kind: 'stop' };

/** What the thread reports. */
export type FromReader =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  /** More logs than one thread should read alone. */
  | { readonly kind: 'share'; readonly sizes: LogSizes }
  | { readonly kind: 'changed'; readonly keys: readonly number[] }
  | { readonly kind: 'unreadable'; readonly path: string; readonly reason: string }
  /** A log that should only grow has become shorter, and was read again; sizes in bytes. */
  | { readonly kind: 'shrunk'; readonly path: string; readonly before: number; readonly now: number }
  /** The request is done. */
  | { readonly kind: 'done'; readonly bytes: number };

export interface ReaderOptions {
  readonly database: string;
  /** Becomes 1 when the thread should stop as soon as nothing is half written. */
  readonly stop: Int32Array;
  /** Above 0 while no other log may be started. */
  readonly held: Int32Array;
}
