import { parentPort } from 'node:worker_threads';
import type { FromRemote, Methods, ToRemote } from './messages.ts';

/**
 * The other end of a `Thread` or a `Child`: answers calls one after another, or at once where the methods take turns by
 * themselves. Returns how to tell the caller something without being asked.
 */
export function serve<M extends Methods, News = never>(
  methods: M,
  order: 'in turn' | 'at once' = 'in turn',
): (news: News) => void {
  const send = (message: FromRemote) => {
    if (parentPort !== null) parentPort.postMessage(message);
    else process.send?.(message);
  };
  const running = new Map<number, AbortController>();
  let before: Promise<void> = Promise.resolve();
  const on = (message: ToRemote) => {
    if ('cancel' in message) {
      running.get(message.cancel)?.abort(new Error('cancelled'));
      return;
    }
    const { id, method, params } = message;
    const abort = new AbortController();
    running.set(id, abort);
    const run = async () => {
      try {
        const context = { signal: abort.signal, tell: (event: unknown) => send({ id, event }) };
        const asked = methods[method];
        if (asked === undefined) throw new Error(`there is no method ${method}`);
        abort.signal.throwIfAborted();
        send({ id, value: await asked(params as never, context) }); // both ends share the type of the methods
      } catch (error) {
        const { name, message } = error instanceof Error ? error : new Error(String(error));
        send({ id, error: { name, message } });
      }
      running.delete(id);
    };
    if (order === 'at once') void run();
    else before = before.then(run);
  };
  if (parentPort !== null) parentPort.on('message', on);
  else {
    process.on('message', on);
    process.on('disconnect', () => process.exit(0));
  }
  return (news) => send({ id: undefined, event: news });
}
