import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A tree of fewer bytes may wait until memory is collected anyway. */
const MIN_BYTES = 16 << 20;
/** Answers that still use the old tree have ended by then. */
const DELAY_MS = 2_000;

let collect: (() => void) | undefined;
let waiting = false;

/**
 * Gives the memory of a tree back that was replaced. Shared columns do not count as a load on the collector, which
 * would come round to them only when small objects pile up: in a quiet process, never.
 */
export function collectSoon(bytes: number): void {
  if (bytes < MIN_BYTES || waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    collect ??= collector();
    collect();
  }, DELAY_MS).unref();
}

/** The collector, which is there for whoever asks for it by name. */
function collector(): () => void {
  try {
    setFlagsFromString('--expose-gc');
    const gc: unknown = runInNewContext('gc');
    if (typeof gc === 'function') return () => void gc();
  } catch {
    // Another engine: it collects when it sees fit.
  }
  return () => undefined;
}
