import type { Hono } from 'hono';
import { PinholeError } from '../contract/errors.ts';
import { isObject } from '../contract/guards.ts';
import { Thread } from '../threads/thread.ts';
import type { HighlightMethods, HighlightOrder } from './highlight.worker.ts';

const MAX_CHARACTERS = 200_000;
const IDLE_MS = 120_000;
const ANSWER_MS = 8_000;

/**
 * `POST /api/highlight`: colours for text that the page already has, line by line as `[text, kind]` pairs. It reads
 * and keeps nothing, so it is not an operation. A thread does the work and ends when it is idle.
 */
export function highlightRoute(app: Hono): void {
  const highlight = createHighlighter();
  app.post('/api/highlight', async (c) => {
    const order = readOrder(await c.req.json().catch(() => undefined));
    return c.json({ data: { lines: await highlight(order) } });
  });
}

function readOrder(body: unknown): HighlightOrder {
  if (isObject(body)) {
    const { language, code } = body;
    if (typeof language === 'string' && typeof code === 'string' && code.length <= MAX_CHARACTERS)
      return { language, code };
  }
  throw new PinholeError(
    'invalid_parameter',
    `The body must be { language, code } with at most ${MAX_CHARACTERS} characters.`,
  );
}

function createHighlighter() {
  const thread = new Thread<HighlightMethods>(new URL('./highlight.worker.ts', import.meta.url), {
    idleMs: IDLE_MS,
    background: true,
  });
  return async (order: HighlightOrder) => {
    // Some texts make a grammar very slow; then everybody who waits goes without colours.
    const late = setTimeout(() => void thread.stop(), ANSWER_MS);
    try {
      return await thread.call('highlight', order);
    } catch {
      // The page shows the text without colours.
      return undefined;
    } finally {
      clearTimeout(late);
    }
  };
}
