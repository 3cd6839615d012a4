import type { MiddlewareHandler } from 'hono';

/**
 * Headers of every answer: browsers must not sniff its type, other sites cannot frame or embed it, its address is not
 * sent to them, and answers of the API are not stored.
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
