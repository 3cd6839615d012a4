import { totalmem } from 'node:os';

/** Below this, all threads together would take what the process gets, and the system would kill it. */
const SCARCE_BYTES = 640 * 2 ** 20;

/** The memory that this process gets: of a container or a control group, where there is one. */
export function memoryLimit(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** Whether to do with fewer threads and less room in each, and take longer instead. */
export function isMemoryScarce(limit = memoryLimit()): boolean {
  return limit < SCARCE_BYTES;
}

/** How many threads to start for work that as many as `usual` would share. */
export function threadCount(usual: number, limit = memoryLimit()): number {
  return isMemoryScarce(limit) ? 1 : usual;
}
