import type { LogFolder } from '../providers/log-files.ts';

/** Where copies of logs lie, and whether new ones are made. */
export interface Archive {
  readonly folder: string;
  readonly on: boolean;
}

/** What the owner asks of the thread that reads logs. */
export type ToReader =
  /** Look through the folders for new, changed and vanished logs. */
  | { readonly kind: 'scan'; readonly folders: readonly LogFolder[]; readonly archive: Archive }
  /** Read these logs if they changed. */
  | {
      readonly kind: 'read';
      readonly paths: readonly string[];
      readonly folders: readonly LogFolder[];
      readonly archive: Archive;
    }
  /** Close the index and end. */
  | { readonly kind: 'stop' };

/** What the thread tells. */
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
  /** Becomes 1 when the reader shall stop at the next place where nothing is half written. */
  readonly stop: Int32Array;
}
