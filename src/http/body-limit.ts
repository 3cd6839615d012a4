import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { PinholeError } from '../contract/errors.ts';
import { INPUT_BYTES } from '../contract/input-limits.ts';

/** The arguments of a call, and what our own programs send with them. */
const MAX_BODY_BYTES = INPUT_BYTES + 100_000;

/** What a collector sends at once, packed. */
const MAX_COLLECTED_BYTES = 24 << 20;

/** Refuses requests with a body that is too large, before all of it has arrived. */
export function limitBody(): MiddlewareHandler {
  const limits = new Map([MAX_BODY_BYTES, MAX_COLLECTED_BYTES].map((most) => [most, limit(most)]));
  const mostOf = (c: Context) => (c.req.path === '/api/collect' ? MAX_COLLECTED_BYTES : MAX_BODY_BYTES);
  return async (c, next) => limits.get(mostOf(c))?.(c, next);
}

function limit(maxSize: number): MiddlewareHandler {
  const refuse = (c: Context) => {
    const message = `A body must be at most ${maxSize.toLocaleString('en')} bytes. Send less.`;
    return c.json(new PinholeError('invalid_parameter', message).toBody(), 413);
  };
  const countWhileReading = bodyLimit({ maxSize, onError: refuse });
  return async (c, next) => {
    const declared = c.req.header('content-length');
    if (c.req.header('transfer-encoding') !== undefined) return countWhileReading(c, next);
    // Looking at the body itself makes a stream of it, which costs more than the rest of a small request.
    if (declared !== undefined) return Number(declared) <= maxSize ? next() : refuse(c);
    return READS.has(c.req.method) ? next() : countWhileReading(c, next);
  };
}

/** Their requests have no body. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
