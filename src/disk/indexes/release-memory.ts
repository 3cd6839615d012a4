import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A smaller tree can wait for the next garbage collection. */
const MIN_BYTES = 16 << 20;
/** By then, answers that still use the old tree are done. */
const DELAY_MS = 2_000;

let collect: (() => void) | undefined;
let waiting = false;

/**
 * Frees the memory of a tree that was replaced. Shared buffers put no pressure on the garbage collector, which would
 * run only when enough small objects pile up: in an idle process, never.
 */
export function releaseSoon(bytes: number): void {
  if (bytes < MIN_BYTES || waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    releaseNow(bytes);
  }, DELAY_MS).unref();
}

/** The same at once, where nothing uses the tree any more. */
export function releaseNow(bytes: number): void {
  if (bytes < MIN_BYTES) return;
  collect ??= collector();
  collect();
}

/** The garbage collector as a function. */
function collector(): () => void {
  try {
    setFlagsFromString('--expose-gc');
    const gc: unknown = runInNewContext('gc');
    if (typeof gc === 'function') return () => void gc();
  } catch {
    // Another engine collects on its own.
  }
  return () => undefined;
}
