import { Thread } from '../../threads/thread.ts';
import type { TreeMeta } from '../tree/tree-columns.ts';
import type { DuplicatesMethods } from './duplicates.worker.ts';
import type { DuplicatesFound } from './find-duplicates.ts';
import type { Scope } from './row-scope.ts';

/** The order for the thread that finds duplicates. */
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

/** Finds equal files in a scope in a thread, because reading and hashing block. */
export function duplicates(
  { tree, from, to, signal }: Scope,
  options: DuplicatesOptions,
): Promise<DuplicatesFound> {
  const thread = new Thread<DuplicatesMethods>(new URL('./duplicates.worker.ts', import.meta.url), {
    endOnCancel: true,
  });
  return thread.once('find', { meta: tree.meta, buffer: tree.buffer, from, to, ...options }, { signal });
}
