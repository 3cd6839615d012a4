import type { Worker } from 'node:worker_threads';
import type { Hono } from 'hono';
import { PinholeError } from '../contract/errors.ts';
import { startWorker } from '../contract/worker.ts';
import type { HighlightOrder, HighlightReply } from './highlight.worker.ts';

const MOST_CHARACTERS = 200_000;
const IDLE_MS = 120_000;
const ANSWER_MS = 8_000;

/**
 * `POST /api/highlight`: colours for text that the page already has, line by line as `[text, kind]` pairs.
 * Nothing is read or kept, so it is no operation. The work is done in a thread that ends when it is idle.
 */
export function highlightRoute(app: Hono): void {
  const highlight = createHighlighter();
  app.post('/api/highlight', async (c) => {
    const { language, code } = readOrder(await c.req.json().catch(() => undefined));
    return c.json({ data: { lines: await highlight(language, code) } });
  });
}

function readOrder(body: unknown): { language: string; code: string } {
  if (typeof body === 'object' && body !== null && 'language' in body && 'code' in body) {
    const { language, code } = body;
    if (typeof language === 'string' && typeof code === 'string' && code.length <= MOST_CHARACTERS)
      return { language, code };
  }
  throw new PinholeError(
    'invalid_parameter',
    `The body must be { language, code } with at most ${MOST_CHARACTERS} characters.`,
  );
}

function createHighlighter() {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;
  const waiting = new Map<number, (lines: HighlightReply['lines']) => void>();
  const end = () => {
    const ended = worker;
    worker = undefined;
    for (const resolve of waiting.values()) resolve(undefined);
    waiting.clear();
    void ended?.terminate();
  };
  const start = () => {
    const started = startWorker(new URL('./highlight.worker.ts', import.meta.url));
    started.unref();
    started.on('message', ({ id, lines }: HighlightReply) => {
      waiting.get(id)?.(lines);
      waiting.delete(id);
    });
    // Text without colour is still the text.
    started.on('error', end);
    return started;
  };
  return (language: string, code: string): Promise<HighlightReply['lines']> => {
    clearTimeout(idle);
    idle = setTimeout(end, IDLE_MS).unref();
    worker ??= start();
    const order: HighlightOrder = { id: ++last, language, code };
    return new Promise((resolve) => {
      // Some text can make a grammar very slow: everybody waiting goes on without colours.
      const late = setTimeout(end, ANSWER_MS);
      waiting.set(order.id, (lines) => {
        clearTimeout(late);
        resolve(lines);
      });
      worker?.postMessage(order);
    });
  };
}
