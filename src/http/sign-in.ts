import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { PinholeError } from '../contract/errors.ts';
import { isObject } from '../contract/guards.ts';
import { DAY_MS } from '../contract/time.ts';

const STAY_MS = 30 * DAY_MS;
/** A link that signs in is for now, and for once. */
const LINK_MS = 15 * 60_000;
const MOST_LINKS = 20;

/** Lets a browser in where the token is needed: by the token itself, or by a link that works once. */
export interface SignIn {
  /** A path that signs in whoever opens it first. */
  link(): string;
  /** Whether the request carries a valid cookie. */
  holdsCookie(c: Context): boolean;
  routes(app: Hono): void;
}

/**
 * The cookie says until when it is good and is signed with the token, so it outlives restarts, ends with the token,
 * and can not be made by anybody else. Scripts of the page can not read it, other sites can not send it.
 */
export function createSignIn(token: string, now: () => number = Date.now): SignIn {
  // Browsers do not tell ports apart: two of us on one machine must not overwrite each other's.
  const name = `pinhole_${createHash('sha256').update(token).digest('hex').slice(0, 8)}`;
  const codes = new Map<string, number>();
  const signedOut = new Set<string>();
  const sign = (text: string) => createHmac('sha256', token).update(text).digest('base64url');

  const isValid = (value: string | undefined): value is string => {
    const [until = '', nonce = '', signature = ''] = value?.split('.') ?? [];
    return (
      value !== undefined &&
      same(signature, sign(`${until}.${nonce}`)) &&
      Number(until) > now() &&
      !signedOut.has(nonce)
    );
  };
  const useCode = (code: string): boolean => {
    const until = codes.get(code) ?? 0;
    codes.delete(code);
    return until > now();
  };

  return {
    link() {
      const code = randomBytes(18).toString('base64url');
      codes.set(code, now() + LINK_MS);
      const [oldest] = codes.keys();
      if (codes.size > MOST_LINKS && oldest !== undefined) codes.delete(oldest);
      // After the hash: it stays in the browser and gets into no log on the way.
      return `/#sign-in=${code}`;
    },
    holdsCookie: (c) => isValid(getCookie(c, name)),
    routes(app) {
      app.post('/api/sign-in', async (c) => {
        const given: unknown = await c.req.json().catch(() => undefined);
        const { token: typed = '', code = '' } = isObject(given) ? given : {};
        const isKnown = (typeof code === 'string' && useCode(code)) || same(String(typed), token);
        if (!isKnown) {
          const error = new PinholeError(
            'path_not_allowed',
            code === ''
              ? 'This is not the token. It is in owner.json of the data folder; pinhole open signs in without it.'
              : 'This link was used or is too old. pinhole open makes a new one.',
          );
          return c.json(error.toBody(), 403);
        }
        const part = `${now() + STAY_MS}.${randomBytes(9).toString('base64url')}`;
        setCookie(c, name, `${part}.${sign(part)}`, {
          httpOnly: true,
          sameSite: 'Strict',
          path: '/',
          maxAge: STAY_MS / 1000,
          secure: new URL(c.req.url).protocol === 'https:',
        });
        return c.json({ data: { signed_in: true } });
      });
      app.delete('/api/sign-in', (c) => {
        const value = getCookie(c, name);
        // Also a copy of the cookie is of no use any more.
        if (isValid(value)) signedOut.add(value.split('.')[1] ?? '');
        deleteCookie(c, name, { path: '/' });
        return c.json({ data: { signed_in: false } });
      });
    },
  };
}

function same(given: string, wanted: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(wanted);
  return a.length === b.length && timingSafeEqual(a, b);
}
