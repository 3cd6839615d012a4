import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { PinholeError } from '../contract/errors.ts';
import { createRateLimit } from '../contract/rate.ts';
import { type BegunSignIn, CALLBACK } from '../team/access/sign-ins.ts';
import type { TeamAccess } from '../team/access/team-access.ts';
import { type Claims, holderOfClaims, usedClaims } from '../team/access/who-sees.ts';
import { holderWho, type SignedIn } from './person.ts';

const BEGUN_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
const BEGINNINGS_PER_MINUTE = 600;

/** Signs people in to the page through the OpenID provider of a team server. Any node can finish what another began. */
export interface TeamSignIn {
  routes(app: Hono): void;
  /** Who signed in with the cookie of a request. */
  session(c: Context): Promise<SignedIn | undefined>;
  end(c: Context): Promise<void>;
}

export function teamSignIn({ provider, address = '', signIns }: TeamAccess): TeamSignIn | undefined {
  if (provider === undefined) return undefined;
  const { settings } = provider;
  const secure = address.startsWith('https:');
  // A browser takes a cookie of this name only over TLS and for this host alone: no other host of the domain can set it.
  const named = (name: string) => (secure ? `__Host-${name}` : name);
  const [signedIn, begun] = [named('pinhole_team'), named('pinhole_begun')];
  const takeTurn = createRateLimit(Date.now);
  const cookie = (more: CookieOptions): CookieOptions => ({ httpOnly: true, secure, path: '/', ...more });

  const sessionOf = async (name: string): Promise<SignedIn | undefined> => {
    const claims = name === '' ? undefined : await signIns.find('signed in', name);
    // The rules are asked each time, so that a changed rule holds for browsers that signed in before.
    const holder = isClaims(claims) ? holderOfClaims(claims, settings) : undefined;
    if (holder === undefined) return undefined;
    const holds = async () => (await sessionOf(name)) !== undefined;
    const who = holderWho(holder) === 'script' ? 'guest' : holderWho(holder);
    return { who, id: `person:${holder.name}`, holder, proof: { key: name, holds } };
  };

  return {
    session: (c) => sessionOf(getCookie(c, signedIn) ?? ''),
    async end(c) {
      await signIns.take('signed in', getCookie(c, signedIn) ?? '');
      deleteCookie(c, signedIn, { path: '/', secure });
    },
    routes(app) {
      app.get('/api/sign-in/provider', async (c) => {
        // Anyone may begin, and each beginning is stored.
        takeTurn('The sign-in', 'anyone', BEGINNINGS_PER_MINUTE);
        const { url, begun: kept } = await provider.begin(placeOnPage(c.req.query('to') ?? '/', address));
        // Lax, because the browser comes back from another site.
        const options = cookie({ sameSite: 'Lax', maxAge: BEGUN_MS / 1000 });
        setCookie(c, begun, await signIns.keep('begun', kept, BEGUN_MS), options);
        return c.redirect(url);
      });
      app.get(CALLBACK, async (c) => {
        // Taken, not read: a second request with the same code finds nothing.
        const kept = await signIns.take('begun', getCookie(c, begun) ?? '');
        deleteCookie(c, begun, { path: '/', secure });
        if (!isBegun(kept))
          return refused(c, 'This sign-in was not started in this browser, or it took too long.');
        let claims: Claims;
        try {
          claims = await provider.finish(new URL(c.req.url).searchParams, kept);
        } catch (error) {
          if (error instanceof PinholeError && error.code === 'forbidden') return refused(c, error.message);
          throw error;
        }
        const holder = holderOfClaims(claims, settings);
        if (holder === undefined)
          return refused(
            c,
            'You are signed in, but the settings of this server do not say what you may see.',
          );
        const forMs = settings.hours * HOUR_MS;
        const name = await signIns.keep('signed in', usedClaims(claims, settings), forMs);
        setCookie(c, signedIn, name, cookie({ sameSite: 'Strict', maxAge: forMs / 1000 }));
        return c.redirect(kept.to);
      });
    },
  };
}

/** Where to go after the sign-in: a place on this server, whatever a link says. */
function placeOnPage(given: string, address: string): string {
  try {
    const { origin, pathname, search, hash } = new URL(given, address);
    // What begins with two slashes is another host.
    return origin === address && !pathname.startsWith('//') ? pathname + search + hash : '/';
  } catch {
    return '/';
  }
}

function refused(c: Context, reason: string): Response {
  return c.text(`${reason}\nBack to the page: /\n`, 403);
}

const isClaims = (value: unknown): value is Claims => typeof value === 'object' && value !== null;

function isBegun(value: unknown): value is BegunSignIn {
  return (
    isClaims(value) && ['state', 'nonce', 'verifier', 'to'].every((name) => typeof value[name] === 'string')
  );
}
