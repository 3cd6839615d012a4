import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** Identifies an HTTP caller by its connection, for rate limits; callers have no other name. */
export function connectionOf(c: Context): string {
  try {
    const { address, port } = getConnInfo(c).remote;
    return `${address}:${port}`;
  } catch {
    // There is no socket in tests.
    return 'http';
  }
}
