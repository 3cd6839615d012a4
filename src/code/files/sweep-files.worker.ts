import { parentPort, workerData } from 'node:worker_threads';
import { packedSweep } from './sweep.ts';

const columns = packedSweep(String(workerData));
// No transfer list: Node would detach the buffer only to save a copy of a few megabytes.
parentPort?.postMessage(columns);
