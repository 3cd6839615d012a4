import { TimeLimit, unlessAborted } from '../../contract/abort.ts';
import { TIMEOUT_MS } from '../../contract/engine.ts';

/** The share of a call's time in which names are looked up; the rest is for the answer. */
const SHARE = 0.8;

/**
 * Looks names up, all at once, because each may wait for files to be parsed. Those that are not found in time are
 * undefined, so that the others still make an answer.
 */
export async function lookedUpInTime<T>(
  names: readonly string[],
  lookUp: (name: string, signal: AbortSignal) => Promise<T>,
  {
    signal,
    timeoutMs = TIMEOUT_MS,
  }: { readonly signal: AbortSignal; readonly timeoutMs?: number | undefined },
): Promise<readonly (T | undefined)[]> {
  const late = AbortSignal.timeout(timeoutMs * SHARE);
  const until = AbortSignal.any([signal, late]);
  const found = await Promise.all(
    names.map((name) =>
      unlessAborted(until, lookUp(name, until)).catch((error: unknown) => {
        if (signal.aborted || !late.aborted) throw error;
        return undefined;
      }),
    ),
  );
  if (found.every((each) => each === undefined)) throw new TimeLimit(timeoutMs * SHARE);
  return found;
}
