import { serve } from '../../threads/serve.ts';
import { treeOver } from '../tree/tree-columns.ts';
import type { DuplicatesOrder } from './duplicates-thread.ts';
import { type DuplicatesFound, findDuplicates } from './find-duplicates.ts';
import { HashCache } from './hash-cache.ts';

/* Finds equal files in a thread of its own, because reading and hashing block. */

function find({ meta, buffer, sizes, limitMs, cacheFile, ...order }: DuplicatesOrder): DuplicatesFound {
  const cache = HashCache.load(cacheFile);
  const found = findDuplicates({
    ...order,
    tree: treeOver(buffer, meta),
    sizes: sizes && new Set(sizes),
    until: performance.now() + limitMs,
    cache,
  });
  cache.save();
  return found;
}

const methods = { find };
export type DuplicatesMethods = typeof methods;

serve(methods);
