import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** Tells HTTP callers apart by their connection, for rate limits; they have no other name. */
export function connectionOf(c: Context): string {
  try {
    const { address, port } = getConnInfo(c).remote;
    return `${address}:${port}`;
  } catch {
    // Called without a socket, as tests do.
    return 'http';
  }
}
