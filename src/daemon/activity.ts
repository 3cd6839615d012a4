import type { Context, MiddlewareHandler } from 'hono';

/** When somebody last called, so that an idle process can end. */
export interface Activity {
  /** Counts requests, but for those that are left out. */
  counted(leftOut?: (c: Context) => boolean): MiddlewareHandler;
  idleFor(): number;
  /** Whether a page is being looked at: it would be signed out by the end of this process. */
  isWatched(): boolean;
}

/** The stream that a page holds open while it is looked at. */
const WATCHES = '/api/live';

export function trackActivity(): Activity {
  let open = 0;
  let watching = 0;
  let last = Date.now();
  return {
    counted: (leftOut) =>
      async function countRequest(c, next) {
        if (leftOut?.(c)) return next();
        open++;
        try {
          await next();
        } finally {
          open--;
          last = Date.now();
        }
        if (c.req.path === WATCHES && c.res.ok) {
          watching++;
          c.req.raw.signal.addEventListener('abort', () => watching--, { once: true });
        }
      },
    idleFor: () => (open > 0 ? 0 : Date.now() - last),
    isWatched: () => watching > 0,
  };
}
