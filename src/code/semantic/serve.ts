import { parentPort } from 'node:worker_threads';
import type { Call, Methods, Reply } from './thread.ts';

/** The other side of a {@link Thread}: answers its calls one after another. */
export function serve<M extends Methods>(methods: M): void {
  let before: Promise<void> = Promise.resolve();
  parentPort?.on('message', (call: Call) => {
    before = before.then(async () => parentPort?.postMessage(await answer(methods, call)));
  });
}

/** The same for methods that make way for each other by themselves. */
export function serveAtOnce<M extends Methods>(methods: M): void {
  parentPort?.on('message', async (call: Call) => parentPort?.postMessage(await answer(methods, call)));
}

async function answer(methods: Methods, { id, method, params }: Call): Promise<Reply> {
  try {
    const run = methods[method];
    if (run === undefined) throw new Error(`no method ${method}`);
    return { id, value: await run(params as never) }; // both sides share the type of `methods`
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
