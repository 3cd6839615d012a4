/** A signal that is aborted with another one, or when the time is up. */
export function timeLimit(outer: AbortSignal, ms: number) {
  const controller = new AbortController();
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    controller.abort(new Error('time limit'));
  }, ms);
  const abort = () => controller.abort(outer.reason);
  if (outer.aborted) abort();
  outer.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    timedOut: () => over,
    stop() {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
}
