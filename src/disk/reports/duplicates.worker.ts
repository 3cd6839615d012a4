import { serve } from '../../threads/serve.ts';
import { treeOver } from '../tree/tree-columns.ts';
import type { DuplicatesOrder } from './duplicates-thread.ts';
import { type DuplicatesFound, findDuplicates } from './find-duplicates.ts';
import { HashCache } from './hash-cache.ts';

/* Finds equal files in a thread of its own, because reading and hashing block. */

function find({ scopes, sizes, limitMs, cacheFile, minSize }: DuplicatesOrder): DuplicatesFound {
  const cache = HashCache.load(cacheFile);
  const found = findDuplicates({
    minSize,
    scopes: scopes.map(({ meta, buffer, from, to }) => ({ tree: treeOver(buffer, meta), from, to })),
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
