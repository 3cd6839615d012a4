import { Thread } from '../../threads/thread.ts';
import type { TreeMeta } from '../tree/tree-columns.ts';
import type { DuplicatesMethods } from './duplicates.worker.ts';
import type { DuplicateScope, DuplicatesFound } from './find-duplicates.ts';

/** The order for the thread that finds duplicates. */
export interface DuplicatesOrder {
  readonly scopes: readonly {
    readonly meta: TreeMeta;
    readonly buffer: SharedArrayBuffer;
    readonly from: number;
    readonly to: number;
  }[];
  readonly minSize: number;
  readonly sizes?: readonly number[] | undefined;
  readonly limitMs: number;
  readonly cacheFile: string;
}

export type DuplicatesOptions = Pick<DuplicatesOrder, 'minSize' | 'sizes' | 'limitMs' | 'cacheFile'>;

/** Finds equal files in some scopes in a thread, because reading and hashing block. */
export function duplicates(
  scopes: readonly DuplicateScope[],
  options: DuplicatesOptions,
  signal: AbortSignal,
): Promise<DuplicatesFound> {
  const thread = new Thread<DuplicatesMethods>(new URL('./duplicates.worker.ts', import.meta.url), {
    endOnCancel: true,
  });
  const parts = scopes.map(({ tree: { meta, buffer }, from, to }) => ({ meta, buffer, from, to }));
  return thread.once('find', { scopes: parts, ...options }, { signal });
}
