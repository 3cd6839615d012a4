import type { MiddlewareHandler } from 'hono';

/**
 * What every answer says to browsers, whoever made it: nothing is sniffed, no address is told to other sites, and
 * what the API answers is not stored.
 */
export const answerHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'no-referrer');
  if (c.req.path.startsWith('/api/')) headers.set('cache-control', 'no-store');
};
