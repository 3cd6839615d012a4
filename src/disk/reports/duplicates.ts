import { startWorker } from '../../contract/worker.ts';
import type { TreeMeta } from '../tree/tree.ts';
import type { DuplicatesFound } from './find-duplicates.ts';
import type { Scope } from './scope.ts';

/** What the thread that looks for duplicates is told. */
export interface DuplicatesOrder {
  readonly meta: TreeMeta;
  readonly buffer: SharedArrayBuffer;
  readonly from: number;
  readonly to: number;
  readonly minSize: number;
  readonly sizes?: readonly number[] | undefined;
  readonly limitMs: number;
  readonly cacheFile: string;
}

export type DuplicatesOptions = Pick<DuplicatesOrder, 'minSize' | 'sizes' | 'limitMs' | 'cacheFile'>;

/** Finds equal files in a scope without holding anyone up. */
export function duplicates(
  { tree, from, to, signal }: Scope,
  options: DuplicatesOptions,
): Promise<DuplicatesFound> {
  return new Promise((resolve, reject) => {
    const order: DuplicatesOrder = { meta: tree.meta, buffer: tree.buffer, from, to, ...options };
    const worker = startWorker(new URL('./duplicates.worker.ts', import.meta.url), { workerData: order });
    const stop = () => {
      void worker.terminate();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', (found: DuplicatesFound) => {
      signal.removeEventListener('abort', stop);
      resolve(found);
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the search for duplicates ended early')));
  });
}
