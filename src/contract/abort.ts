import { PinholeError } from './errors.ts';

/** The time for a call is over. */
export class TimeLimit extends PinholeError {
  readonly #after: string;

  constructor(timeoutMs: number) {
    const after = `Stopped after ${timeoutMs / 1000} s`;
    super('search_timeout', `${after}, before there was an answer. Narrow the call.`);
    this.#after = after;
  }

  /** The same, with what was looked at without finding anything. */
  having(searched: string | undefined): PinholeError {
    if (searched === undefined) return this;
    const message = `${this.#after}. Searched until then: ${searched}, without a match; the rest was not searched. Narrow the call.`;
    return new PinholeError('search_timeout', message);
  }
}

/** Work that is stopped by the time limit may still give what it has, for this long. */
const GRACE_MS = 250;

/** Runs work with a signal that ends it after `timeoutMs` or when the caller gives up, whichever comes first. */
export async function withTimeLimit<T>(
  outer: AbortSignal | undefined,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new TimeLimit(timeoutMs));
  }, timeoutMs);
  const cancel = () => controller.abort(new PinholeError('conflict', 'The caller cancelled this call.'));
  if (outer?.aborted) cancel();
  outer?.addEventListener('abort', cancel, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    // Whatever the operation threw because of the abort, the reason is what happened.
    const told = error instanceof PinholeError && error.code === 'search_timeout';
    if (controller.signal.aborted && !told) throw controller.signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', cancel);
  }
}

/** The promise, or the reason of the abort when that comes first; at the time limit, what the promise still brings. */
export function unlessStopped<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return unlessAborted(signal, promise, GRACE_MS);
}

/** The promise, or the reason of the abort when that comes first. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>, graceMs = 0): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      if (graceMs > 0 && signal.reason instanceof TimeLimit) setTimeout(() => reject(signal.reason), graceMs);
      else reject(signal.reason);
    };
    // Settled first, so that a promise that loses the race is never left unhandled.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
