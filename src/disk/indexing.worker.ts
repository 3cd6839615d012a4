import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { writeGrowth } from './growth.ts';
import type { IndexingMessage, IndexingTask } from './indexing.ts';
import { scanFull } from './scan/full.ts';
import { rescan } from './scan/rescan.ts';
import { loadTree } from './tree/load.ts';
import { saveTree } from './tree/save.ts';
import { type Tree, treeOver } from './tree/tree.ts';

/*
 * Makes a generation of an index: scan, build, save. As a thread the task comes as workerData, as a process of its
 * own in the first message; the only one who starts it is indexing.ts.
 */

const PROGRESS_MS = 200;

const abort = new AbortController();

function tell(message: IndexingMessage): void {
  if (isMainThread) process.send?.(message);
  else parentPort?.postMessage(message);
}

async function work(task: IndexingTask): Promise<void> {
  const earlier = await earlierTree(task);
  let last = 0;
  const request = {
    root: task.root,
    options: task.options,
    allowed: task.allowed,
    firstId: task.firstId,
    signal: abort.signal,
    onProgress: (counts: { entries: number; dirsDone: number; dirsLeft: number }) => {
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
  tell({
    type: 'done',
    made: isMainThread ? undefined : { meta: tree.meta, buffer: tree.buffer },
    result: { changed, foldersRead, filesUnchecked: rest.filesUnchecked },
  });
}

async function earlierTree({ earlier, file }: IndexingTask): Promise<Tree | undefined> {
  if (earlier === 'saved') return loadTree(file).catch(() => undefined);
  return earlier && treeOver(earlier.buffer, earlier.meta);
}

function begin(task: IndexingTask): void {
  work(task)
    .catch((error: unknown) =>
      tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
    .finally(() => (isMainThread ? process.disconnect() : parentPort?.close()));
}

if (isMainThread) {
  process.once('message', (task: IndexingTask) => begin(task));
  process.on('disconnect', () => process.exit(0));
} else {
  parentPort?.on('message', () => abort.abort(new Error('cancelled')));
  begin(workerData as IndexingTask);
}
