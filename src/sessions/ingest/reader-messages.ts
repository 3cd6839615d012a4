import type { LogFolder } from '../providers/log-files.ts';

/** Where copies of logs are, and whether new ones are made. */
export interface Archive {
  readonly folder: string;
  readonly on: boolean;
}

/** Scan the folders for new, changed and deleted logs. */
export interface ScanRequest {
  readonly kind: 'scan';
  readonly folders: readonly LogFolder[];
  readonly archive: Archive;
}

/** Read these logs if they changed. */
export interface ReadRequest {
  readonly kind: 'read';
  readonly paths: readonly string[];
  readonly folders: readonly LogFolder[];
  readonly archive: Archive;
}

/** What the thread that reads logs is asked to do; `stop` closes the index and ends the thread. */
export type ToReader = ScanRequest | ReadRequest | { readonly kind: 'stop' };

/** What the thread reports. */
export type FromReader =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  /** More logs than one thread should read alone. */
  | { readonly kind: 'share'; readonly paths: readonly string[] }
  | { readonly kind: 'changed'; readonly keys: readonly number[] }
  | { readonly kind: 'unreadable'; readonly path: string; readonly reason: string }
  /** The request is done. */
  | { readonly kind: 'done'; readonly bytes: number };

export interface ReaderOptions {
  readonly database: string;
  /** Becomes 1 when the thread should stop as soon as nothing is half written. */
  readonly stop: Int32Array;
  /** Above 0 while no other log may be begun. */
  readonly held: Int32Array;
}
