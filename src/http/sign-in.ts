import { createHash, randomBytes } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AccessKeys } from '../app/access-keys.ts';
import { PinholeError } from '../contract/errors.ts';
import { DAY_MS } from '../contract/time.ts';
import { isSameOrigin, unauthorized } from './guard.ts';
import { originOf, type SignedIn, type Who } from './person.ts';

const SESSION_MS = 30 * DAY_MS;
/** How long a link can be used to sign in, once. */
const LINK_MS = 15 * 60_000;
const MAX_LINKS = 20;
const MAX_SESSIONS = 1_000;

/** Signs a browser in: as a person with a link that works once, or as a guest with the token. */
export interface SignIn {
  /** A path that signs in the first browser that opens it. */
  link(): string;
  /** Who signed in with the cookie of a request, if it is valid. */
  session(c: Context): SignedIn | undefined;
  /** Ends every sign-in. */
  forgetAll(): void;
  /** @param end ends sign-ins of another kind, when a browser signs out */
  routes(app: Hono, end?: (c: Context) => Promise<void>): void;
}

/**
 * A cookie is valid for this process only: after its end another program may take the port, and browsers would send the
 * cookie to that program. Scripts of the page cannot read the cookie, and other sites cannot send it.
 */
export function createSignIn(
  keys: Pick<AccessKeys, 'token' | 'kindOf'>,
  now: () => number = Date.now,
): SignIn {
  // Browsers ignore ports in cookies: two processes on one machine must not overwrite each other's.
  const name = `pinhole_${createHash('sha256').update(keys.token()).digest('hex').slice(0, 8)}`;
  const codes = createExpiring<true>(MAX_LINKS, now);
  const sessions = createExpiring<SignedIn>(MAX_SESSIONS, now);
  let signedIn = 0;

  const useCode = (code: string): boolean => {
    const isGood = codes.get(code) !== undefined;
    codes.delete(code);
    return isGood;
  };
  /** Only a link makes a person: it proves access to a terminal of this user. */
  const whoProves = ({ token: typed, code }: { token?: unknown; code?: unknown }): Who | undefined => {
    if (typeof code === 'string') return useCode(code) ? 'person' : undefined;
    const kind = typeof typed === 'string' ? keys.kindOf(typed) : undefined;
    return kind === 'script' ? 'guest' : kind;
  };

  return {
    // After the hash, so that the code stays in the browser and appears in no log.
    link: () => `/#sign-in=${codes.add(true, LINK_MS)}`,
    session: (c) => sessions.get(getCookie(c, name)),
    forgetAll() {
      codes.clear();
      sessions.clear();
    },
    routes(app, end) {
      app.post('/api/sign-in', async (c) => {
        if (!isSameOrigin(c)) return unauthorized(c);
        const given: unknown = await c.req.json().catch(() => undefined);
        const proof: { token?: unknown; code?: unknown } =
          typeof given === 'object' && given !== null ? { ...given } : {};
        const who = whoProves(proof);
        if (who === undefined) {
          const message =
            proof.code === undefined
              ? 'This is not the token. Print it with: pinhole token. To sign in without it, run: pinhole open'
              : 'This link was already used or has expired. For a new one, run: pinhole open';
          return c.json(new PinholeError('forbidden', message).toBody(), 403);
        }
        setCookie(c, name, sessions.add({ who, id: `browser${++signedIn}` }, SESSION_MS), {
          httpOnly: true,
          sameSite: 'Strict',
          path: '/',
          maxAge: SESSION_MS / 1000,
          secure: originOf(c).startsWith('https:'),
        });
        return c.json({ data: { signed_in: true } });
      });
      app.delete('/api/sign-in', async (c) => {
        if (!isSameOrigin(c)) return unauthorized(c);
        await end?.(c);
        // A copy of the cookie becomes useless too.
        sessions.delete(getCookie(c, name));
        deleteCookie(c, name, { path: '/' });
        return c.json({ data: { signed_in: false } });
      });
    },
  };
}

/** Values under names that nobody can guess, each for a limited time; the oldest go first if there are too many. */
function createExpiring<Value>(maxValues: number, now: () => number) {
  const kept = new Map<string, { readonly value: Value; readonly until: number }>();
  return {
    add(value: Value, forMs: number): string {
      const name = randomBytes(18).toString('base64url');
      kept.set(name, { value, until: now() + forMs });
      const [oldest] = kept.keys();
      if (kept.size > maxValues && oldest !== undefined) kept.delete(oldest);
      return name;
    },
    get(name: string | undefined): Value | undefined {
      const found = kept.get(name ?? '');
      return found !== undefined && found.until > now() ? found.value : undefined;
    },
    delete: (name: string | undefined) => void kept.delete(name ?? ''),
    clear: () => kept.clear(),
  };
}
