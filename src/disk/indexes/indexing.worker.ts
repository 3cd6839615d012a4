import { isMainThread } from 'node:worker_threads';
import type { CallContext } from '../../threads/messages.ts';
import { serve } from '../../threads/serve.ts';
import { scanFull } from '../scan/full-scan.ts';
import { rescan } from '../scan/rescan.ts';
import type { ScanCounts } from '../scan/scanner-pool.ts';
import { loadTree } from '../tree/load-tree.ts';
import { saveTree } from '../tree/save-tree.ts';
import { type Tree, treeOver } from '../tree/tree-columns.ts';
import { writeGrowth } from './growth-files.ts';
import type { IndexingAnswer, IndexingEvent, IndexingTask } from './run-indexing.ts';

/* Makes a generation of an index: scan, build, save. Runs in a thread or in a process, see run-indexing.ts. */

const PROGRESS_MS = 200;

async function index(
  task: IndexingTask,
  { signal, tell }: CallContext<IndexingEvent>,
): Promise<IndexingAnswer> {
  const earlier = await earlierTree(task);
  let last = 0;
  const request = {
    root: task.root,
    options: task.options,
    allowed: task.allowed,
    firstId: task.firstId,
    signal,
    onProgress: (counts: ScanCounts) => {
      const now = performance.now();
      if (now - last < PROGRESS_MS) return;
      last = now;
      tell({ type: 'progress', ...counts });
    },
  };
  const { marks, fileMs } = task;
  const { tree, changed, ...rest } =
    marks !== undefined && earlier !== undefined
      ? await rescan({ ...request, earlier, marks, fileMs })
      : { tree: await scanFull({ ...request, earlier }), changed: true, filesUnchecked: 0 };
  if (changed) {
    const growth = writeGrowth(task.growthFolder, earlier, tree);
    await Promise.all([growth, saveTree(tree, task.file).then(() => tell({ type: 'saved' }))]);
  }
  const foldersRead = 'foldersRead' in rest ? rest.foldersRead : undefined;
  return {
    made: isMainThread ? undefined : { meta: tree.meta, buffer: tree.buffer },
    result: { changed, foldersRead, filesUnchecked: rest.filesUnchecked },
  };
}

async function earlierTree({ earlier, file }: IndexingTask): Promise<Tree | undefined> {
  if (earlier === 'saved') return loadTree(file).catch(() => undefined);
  return earlier && treeOver(earlier.buffer, earlier.meta);
}

const methods = { index };
export type IndexingMethods = typeof methods;

serve(methods);
