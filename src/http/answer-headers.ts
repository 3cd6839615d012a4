import type { MiddlewareHandler } from 'hono';

/**
 * What every answer says to browsers, whoever made it: nothing is sniffed, framed or embedded by other sites, no
 * address is told to them, and what the API answers is not stored.
 */
export const answerHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'no-referrer');
  headers.set('x-frame-options', 'DENY');
  headers.set('cross-origin-resource-policy', 'same-origin');
  if (c.req.path.startsWith('/api/')) headers.set('cache-control', 'no-store');
};
