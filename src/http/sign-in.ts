import { createHash, randomBytes } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { PinholeError } from '../contract/errors.ts';
import { DAY_MS } from '../contract/time.ts';
import { isSame, isSameOrigin, unauthorized } from './guard.ts';
import type { Who } from './person.ts';

const STAY_MS = 30 * DAY_MS;
/** A link that signs in is for now, and for once. */
const LINK_MS = 15 * 60_000;
const MOST_LINKS = 20;
const MOST_SESSIONS = 1_000;

/** Lets a browser in: as a person by a link that works once, as a guest by the token. */
export interface SignIn {
  /** A path that signs in whoever opens it first. */
  link(): string;
  /** Whom the cookie of a request signed in, if it is valid. */
  session(c: Context): Who | undefined;
  routes(app: Hono): void;
}

/**
 * A cookie is good for this process only: when it ends, another program may take its port, and a browser would give the
 * cookie to that one. Scripts of the page cannot read it, other sites cannot send it.
 */
export function createSignIn(token: string, now: () => number = Date.now): SignIn {
  // Browsers do not tell ports apart: two of us on one machine must not overwrite each other's.
  const name = `pinhole_${createHash('sha256').update(token).digest('hex').slice(0, 8)}`;
  const codes = createExpiring<true>(MOST_LINKS, now);
  const sessions = createExpiring<Who>(MOST_SESSIONS, now);

  const useCode = (code: string): boolean => {
    const isGood = codes.get(code) !== undefined;
    codes.delete(code);
    return isGood;
  };
  /** Whom a proof signs in: only the link shows that a person with a terminal of this user asked for it. */
  const whoGives = ({ token: typed, code }: { token?: unknown; code?: unknown }): Who | undefined => {
    if (typeof code === 'string') return useCode(code) ? 'person' : undefined;
    return typeof typed === 'string' && isSame(typed, token) ? 'guest' : undefined;
  };

  return {
    // After the hash: it stays in the browser and gets into no log on the way.
    link: () => `/#sign-in=${codes.add(true, LINK_MS)}`,
    session: (c) => sessions.get(getCookie(c, name)),
    routes(app) {
      app.post('/api/sign-in', async (c) => {
        if (!isSameOrigin(c)) return unauthorized(c);
        const given: unknown = await c.req.json().catch(() => undefined);
        const proof: { token?: unknown; code?: unknown } =
          typeof given === 'object' && given !== null ? { ...given } : {};
        const who = whoGives(proof);
        if (who === undefined) {
          const message =
            proof.code === undefined
              ? 'This is not the token. pinhole token prints it; pinhole open signs in without it.'
              : 'This link was used or is too old. pinhole open makes a new one.';
          return c.json(new PinholeError('path_not_allowed', message).toBody(), 403);
        }
        setCookie(c, name, sessions.add(who, STAY_MS), {
          httpOnly: true,
          sameSite: 'Strict',
          path: '/',
          maxAge: STAY_MS / 1000,
          secure: new URL(c.req.url).protocol === 'https:',
        });
        return c.json({ data: { signed_in: true } });
      });
      app.delete('/api/sign-in', (c) => {
        if (!isSameOrigin(c)) return unauthorized(c);
        // Also a copy of the cookie is of no use any more.
        sessions.delete(getCookie(c, name));
        deleteCookie(c, name, { path: '/' });
        return c.json({ data: { signed_in: false } });
      });
    },
  };
}

/** Values under names that nobody can guess, each for a while; the oldest go first when there are too many. */
function createExpiring<Value>(most: number, now: () => number) {
  const kept = new Map<string, { readonly value: Value; readonly until: number }>();
  return {
    add(value: Value, forMs: number): string {
      const name = randomBytes(18).toString('base64url');
      kept.set(name, { value, until: now() + forMs });
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return name;
    },
    get(name: string | undefined): Value | undefined {
      const found = kept.get(name ?? '');
      return found !== undefined && found.until > now() ? found.value : undefined;
    },
    delete: (name: string | undefined) => void kept.delete(name ?? ''),
  };
}
