import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { PinholeError } from '../contract/errors.ts';
import { INPUT_BYTES } from '../contract/input-limits.ts';

/** The arguments of a call, and what our own programs send with them. */
const MAX_BODY_BYTES = INPUT_BYTES + 100_000;

/** Refuses requests with a body that is too large, before all of it has arrived. */
export function limitBody(): MiddlewareHandler {
  return bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: (c) => {
      const message = `A body must be at most ${MAX_BODY_BYTES.toLocaleString('en')} bytes. Send less.`;
      return c.json(new PinholeError('invalid_parameter', message).toBody(), 413);
    },
  });
}
