import type { Context, MiddlewareHandler } from 'hono';

/** When the last request came, so that an idle process can end. */
export interface Activity {
  /** Counts requests, except those that `leftOut` names. */
  counted(leftOut?: (c: Context) => boolean): MiddlewareHandler;
  idleFor(): number;
  /** Whether a page is open: the end of this process would sign it out. */
  isWatched(): boolean;
}

/** The stream that a page holds open while it is shown. */
const PAGE_STREAM = '/api/live';

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
        if (c.req.path === PAGE_STREAM && c.res.ok) {
          watching++;
          c.req.raw.signal.addEventListener('abort', () => watching--, { once: true });
        }
      },
    idleFor: () => (open > 0 ? 0 : Date.now() - last),
    isWatched: () => watching > 0,
  };
}
