import { PinholeError } from './errors.ts';

/** Runs work with a signal that ends it after `timeoutMs` or when the caller gives up, whichever comes first. */
export async function withTimeLimit<T>(
  outer: AbortSignal | undefined,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const message = `Nothing was found within ${timeoutMs / 1000} s; narrow the search.`;
    controller.abort(new PinholeError('search_timeout', message));
  }, timeoutMs);
  const cancel = () => controller.abort(new PinholeError('conflict', 'The caller cancelled this call.'));
  if (outer?.aborted) cancel();
  outer?.addEventListener('abort', cancel, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    // Whatever the operation threw because of the abort, the reason is what happened.
    if (controller.signal.aborted) throw controller.signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', cancel);
  }
}

/** The promise, or the reason of the abort when that comes first. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    // Settled first, so that a promise that loses the race is never left unhandled.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
