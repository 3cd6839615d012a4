import { startWorker } from '../contract/worker.ts';
import { type ScanOptions, type Tree, type TreeMeta, treeOver } from './tree/tree.ts';

/** What the indexing thread is told. */
export interface IndexingOrder {
  readonly root: string;
  readonly options: ScanOptions;
  readonly allowed: readonly string[];
  readonly earlier: { readonly meta: TreeMeta; readonly buffer: SharedArrayBuffer } | undefined;
  readonly firstId: number;
  /** Read only what changed since `earlier`. */
  readonly quick: boolean;
  readonly suspects: readonly number[];
  readonly fileMs: number;
  readonly file: string;
  readonly growthFolder: string;
}

export type IndexingMessage =
  | {
      readonly type: 'progress';
      readonly entries: number;
      readonly dirsDone: number;
      readonly dirsLeft: number;
    }
  | {
      readonly type: 'done';
      readonly meta: TreeMeta;
      readonly buffer: SharedArrayBuffer;
      readonly changed: boolean;
      readonly foldersRead: number | undefined;
      readonly filesUnchecked: number;
    }
  | { readonly type: 'failed'; readonly message: string };

export interface Indexed {
  readonly tree: Tree;
  readonly changed: boolean;
  /** Folders read anew; undefined when all of them were. */
  readonly foldersRead: number | undefined;
  /** Files in which a change in place would not have been noticed. */
  readonly filesUnchecked: number;
}

export type OnIndexing = (counts: { entries: number; dirsDone: number; dirsLeft: number }) => void;

/** Room for the short-lived objects of a large scan, so that they are not collected over and over. */
const YOUNG_MB = 64;

/** Scans in a thread of its own and brings the new generation here without a copy. */
export function runIndexing(
  order: IndexingOrder,
  signal: AbortSignal,
  onProgress: OnIndexing,
): Promise<Indexed> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(new URL('./indexing.worker.ts', import.meta.url), {
      workerData: order,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const cancel = () => worker.postMessage('cancel');
    const end = (finish: () => void) => {
      signal.removeEventListener('abort', cancel);
      finish();
    };
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    worker.on('message', (message: IndexingMessage) => {
      if (message.type === 'progress') onProgress(message);
      else if (message.type === 'failed') {
        end(() => reject(signal.aborted ? signal.reason : new Error(message.message)));
      } else {
        const { changed, foldersRead, filesUnchecked } = message;
        const tree = treeOver(message.buffer, message.meta);
        end(() => resolve({ tree, changed, foldersRead, filesUnchecked }));
      }
    });
    worker.on('error', (error) => end(() => reject(error)));
    worker.on('exit', (code) => end(() => reject(new Error(`indexing ended early (${code})`))));
  });
}
