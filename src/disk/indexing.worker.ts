import { parentPort, workerData } from 'node:worker_threads';
import { writeGrowth } from './growth.ts';
import type { IndexingMessage, IndexingOrder } from './indexing.ts';
import { scanFull } from './scan/full.ts';
import { rescan } from './scan/rescan.ts';
import { saveTree } from './tree/save.ts';
import { treeOver } from './tree/tree.ts';

/* Makes a generation of an index in a thread of its own: scan, build, save. The order comes as workerData. */

const PROGRESS_MS = 200;

const abort = new AbortController();
parentPort?.on('message', () => abort.abort(new Error('cancelled')));

function tell(message: IndexingMessage): void {
  parentPort?.postMessage(message);
}

async function work(order: IndexingOrder): Promise<void> {
  const earlier = order.earlier && treeOver(order.earlier.buffer, order.earlier.meta);
  let last = 0;
  const request = {
    root: order.root,
    options: order.options,
    allowed: order.allowed,
    firstId: order.firstId,
    signal: abort.signal,
    onProgress: (counts: { entries: number; dirsDone: number; dirsLeft: number }) => {
      const now = performance.now();
      if (now - last < PROGRESS_MS) return;
      last = now;
      tell({ type: 'progress', ...counts });
    },
  };
  const quick = order.quick && earlier !== undefined;
  const result = quick
    ? await rescan({ ...request, earlier, suspects: order.suspects, fileMs: order.fileMs })
    : {
        tree: await scanFull({ ...request, earlier }),
        changed: true,
        foldersRead: undefined,
        filesUnchecked: 0,
      };
  const { tree, changed } = result;
  if (changed) {
    await Promise.all([saveTree(tree, order.file), writeGrowth(order.growthFolder, earlier, tree)]);
  }
  const { foldersRead, filesUnchecked } = result;
  tell({ type: 'done', meta: tree.meta, buffer: tree.buffer, changed, foldersRead, filesUnchecked });
}

// The only one who starts this thread is indexing.ts.
work(workerData as IndexingOrder)
  .catch((error: unknown) =>
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
  .finally(() => parentPort?.close());
