import type { Context } from 'hono';
import type { Services } from '../app/services.ts';
import { createRoots, type Roots } from '../contract/roots.ts';

/**
 * Who a request is from, by what it proved: `person`, a browser that a link of `pinhole open` signed in; `guest`, a
 * browser that was given the token; `script`, a program with the token.
 */
export type Who = 'person' | 'guest' | 'script';

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by the guard alone, never by what a request says of itself. */
    who: Who | undefined;
  }
}

/** True for a person at the page. */
export function isPerson(c: Context): boolean {
  return c.get('who') === 'person';
}

/** What a request may read: allowed folders, and for a person those that agents brought, since links lead there. */
export async function requestRoots(
  c: Context,
  { allowed, agentFolders }: Pick<Services, 'allowed' | 'agentFolders'>,
): Promise<Roots> {
  const person = isPerson(c);
  return createRoots([...(await allowed.list()), ...(person ? agentFolders.list() : [])], undefined, person);
}
