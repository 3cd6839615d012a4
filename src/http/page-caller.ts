import type { Context } from 'hono';
import type { Services } from '../app/services.ts';
import { createRoots, type Roots } from '../contract/roots.ts';

/** True for requests of our own page, and for an address that a person opens in a browser. */
export function isPage(c: Context): boolean {
  const site = c.req.header('sec-fetch-site');
  // Browsers set it, and no page can: `none` is what a person typed or followed from another program.
  const opened = site === 'none' && c.req.method === 'GET';
  return site === 'same-origin' || opened || c.req.header('origin') !== undefined;
}

/** What a request may read: allowed folders, and on the page those that agents brought, since links lead there. */
export async function requestRoots(
  c: Context,
  { allowed, brought }: Pick<Services, 'allowed' | 'brought'>,
): Promise<Roots> {
  const page = isPage(c);
  return createRoots([...(await allowed.list()), ...(page ? brought.list() : [])], undefined, page);
}
