import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { treeOver } from '../tree/tree.ts';
import { type RecheckOrder, recheckSlices } from './rechecking.ts';

/* Looks at every file of many folders once, in the background: it leaves a third of a core to others. */

const SLICE_MS = 20;
const PAUSE_MS = 10;

// The only one who starts this thread is rechecking.ts.
const { meta, buffer, folders } = workerData as RecheckOrder;
for (const result of recheckSlices(treeOver(buffer, meta), folders, SLICE_MS)) {
  parentPort?.postMessage(result);
  await pause(PAUSE_MS);
}
parentPort?.close();
