import type { Context } from 'hono';
import type { Services } from '../app/services.ts';
import { createRoots, type Roots } from '../contract/roots.ts';
import { visibleMirrors } from '../team/mirrors/mirror-folders.ts';
import type { TokenHolder } from '../team/team-tokens.ts';

/**
 * Who sent a request, by the proof it carried: `person`, a browser signed in with a link from `pinhole open`; `guest`,
 * a browser signed in with the token; `script`, a program with the token; `reader`, either of them with the token for
 * a team or one that reads; `collector`, a program with a token that only collects.
 */
export type Who = 'person' | 'guest' | 'script' | 'reader' | 'collector';

/** What shows who asks, where it can end while an answer is still being sent. */
export interface Proof {
  /** Tells it apart from others; requests with the same proof have the same key. */
  readonly key: string;
  readonly holds: () => Promise<boolean>;
}

/** Who asks. */
export interface SignedIn {
  readonly who: Who;
  /** Tells them apart from others. */
  readonly id: string;
  /** What a team server lets them see. */
  readonly holder?: TokenHolder | undefined;
  readonly proof?: Proof | undefined;
}

declare module 'hono' {
  interface ContextVariableMap {
    /** Set only by the guard, never from what a request claims. */
    who: Who | undefined;
    /** Names the proof that the request came with: rate limits count by it. */
    proof: string | undefined;
    /** How the outside reaches this server, where the settings say so; headers of a proxy are never read. */
    outside: string | undefined;
    /** Who holds the token of a team server that the request came with. */
    holder: TokenHolder | undefined;
  }
}

/** The strongest scope says who asks; `collect` opens one route besides. */
export function holderWho({ scopes }: TokenHolder): Who {
  return scopes.includes('admin') ? 'script' : scopes.includes('read') ? 'reader' : 'collector';
}

/** Where the caller reached this server, such as `http://host:4747`. */
export function originOf(c: Context): string {
  return c.get('outside') ?? new URL(c.req.url).origin;
}

/** True for a person using the page. */
export function isPerson(c: Context): boolean {
  return c.get('who') === 'person';
}

/** The sessions that a request may see: with the token for a team, those of allowed folders. */
export async function requestSessions(
  c: Context,
  { sessions, allowed }: Pick<Services, 'sessions' | 'allowed'>,
): Promise<Services['sessions']> {
  const holder = c.get('holder');
  if (holder !== undefined)
    return holder.projects === undefined ? sessions : sessions.within(holder.projects);
  return c.get('who') === 'reader' ? sessions.within(await allowed.list()) : sessions;
}

/** What a request may read: allowed folders, and for a person also the folders of agents, because their links lead there. */
export async function requestRoots(
  c: Context,
  { allowed, agentFolders, about }: Pick<Services, 'allowed' | 'agentFolders' | 'about'>,
): Promise<Roots> {
  const person = isPerson(c);
  const holder = c.get('holder');
  const mirrors = visibleMirrors(about.home, holder?.projects);
  const folders = [...(await allowed.list()), ...mirrors, ...(person ? agentFolders.list() : [])];
  return createRoots(folders, undefined, person);
}
