import { parentPort, workerData } from 'node:worker_threads';
import { treeOver } from '../tree/tree.ts';
import type { DuplicatesOrder } from './duplicates.ts';
import { findDuplicates } from './find-duplicates.ts';
import { HashCache } from './hash-cache.ts';

/* Finds equal files in a thread of its own: reading and hashing block. */

// The only one who starts this thread is duplicates.ts.
const order = workerData as DuplicatesOrder;
const cache = HashCache.load(order.cacheFile);
const found = findDuplicates({
  tree: treeOver(order.buffer, order.meta),
  from: order.from,
  to: order.to,
  minSize: order.minSize,
  sizes: order.sizes && new Set(order.sizes),
  until: performance.now() + order.limitMs,
  cache,
});
cache.save();
parentPort?.postMessage(found);
