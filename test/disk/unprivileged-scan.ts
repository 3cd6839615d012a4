import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexingTask } from '../../src/disk/indexes/run-indexing.ts';
import { loadTree } from '../../src/disk/tree/load-tree.ts';
import type { Tree } from '../../src/disk/tree/tree-columns.ts';
import type { FromRemote } from '../../src/threads/messages.ts';
import { workerFile } from '../../src/threads/worker-file.ts';
import { emptyFolder, scan } from './made-tree.ts';

const NOBODY = 65_534;

/** Scans as a user to whom permissions apply: root can read everything, so it runs the scan as `nobody`. */
export async function unprivilegedScan(root: string): Promise<Tree> {
  if (process.getuid?.() !== 0) return scan(root);
  const out = emptyFolder();
  for (const folder of [root, out]) chownSync(folder, NOBODY, NOBODY);
  chmodSync(root, 0o755);
  const child = fork(workerFile(new URL('../../src/disk/indexes/indexing.worker.ts', import.meta.url)), [], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
    execArgv: [],
    serialization: 'advanced',
  });
  const task: IndexingTask = {
    root,
    options: { followSymlinks: false, oneFileSystem: true, depthLimit: undefined, exclude: [] },
    allowed: [],
    firstId: 1,
    marks: undefined,
    fileMs: 0,
    file: join(out, 'tree.idx'),
    growthFolder: out,
    earlier: undefined,
  };
  child.send({ id: 1, method: 'index', params: task });
  let failure = 'it ended without a word';
  child.on('message', (message: FromRemote) => {
    if ('event' in message) return;
    failure = 'error' in message ? message.error.message : '';
    child.kill();
  });
  await once(child, 'close');
  if (failure !== '') throw new Error(`the scan as nobody failed: ${failure}`);
  return loadTree(task.file);
}
