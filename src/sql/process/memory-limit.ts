import { Worker } from 'node:worker_threads';

/** Looks at the memory of the process while SQLite keeps the main thread busy. SIGKILL, because nothing else works then. */
const WATCH = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.memoryUsage.rss() > workerData) process.kill(process.pid, 'SIGKILL');
}, 50);
`;

/**
 * Ends this process when it uses more than `bytes` of memory. SQLite is built without its own accounting, so that its
 * heap limit does nothing.
 */
export function limitMemory(bytes: number): void {
  const watch = new Worker(WATCH, {
    eval: true,
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  watch.unref();
}
