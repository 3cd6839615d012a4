import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { type ErrorCode, PinholeError } from '../contract/errors.ts';
import type { Who } from './person.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Keeps other web sites out (DNS rebinding, cross-site requests). What a browser says about a request can only get it
 * refused: anybody can make such headers up.
 *
 * @param hosts names a request may give, without port; undefined where machines have many names
 */
export function refuseForeign({
  hosts,
}: {
  readonly hosts: readonly string[] | undefined;
}): MiddlewareHandler {
  return async function refuseForeignRequest(c, next) {
    const host = hostName(c.req.header('host'));
    if (host === undefined || !(hosts?.includes(host) ?? true)) {
      return refusal(c, 403, 'path_not_allowed', 'This host name is not served; use 127.0.0.1.');
    }
    if ((c.req.header('origin') !== undefined && !isSameOrigin(c)) || isForeign(c)) {
      return refusal(c, 403, 'path_not_allowed', 'Requests from other web pages are refused.');
    }
    return await next();
  };
}

/** Lets in who holds the token, or a browser that signed in, and notes who it is. */
export function requireProof(options: {
  readonly token: string;
  /** Whom the cookie of a request signed in. */
  readonly session: (c: Context) => Who | undefined;
}): MiddlewareHandler {
  return async function requireProofOfRequest(c, next) {
    const who = holdsToken(c.req.header('authorization'), options.token)
      ? 'script'
      : mayUseCookie(c)
        ? options.session(c)
        : undefined;
    if (who === undefined) return unauthorized(c);
    c.set('who', who);
    return await next();
  };
}

/** A cookie comes along by itself, be it with another page's request: it changes things from our own page only. */
function mayUseCookie(c: Context): boolean {
  return c.req.path !== '/mcp' && (READS.has(c.req.method) || isSameOrigin(c));
}

/** The answer to whoever proved nothing. */
export function unauthorized(c: Context): Response {
  c.header('WWW-Authenticate', 'Bearer');
  return refusal(
    c,
    401,
    'unauthorized',
    'This needs proof of who asks. A person runs: pinhole open. A script sends: Authorization: Bearer $(pinhole token)',
  );
}

/** Whether a request names this very server as the page that it comes from. */
export function isSameOrigin(c: Context): boolean {
  const host = hostOf(c.req.header('origin'));
  return host !== undefined && host === c.req.header('host')?.toLowerCase();
}

/** To a browser all ports of this machine are one site; whatever is served on another one is not ours. */
const FOREIGN: ReadonlySet<string | undefined> = new Set(['cross-site', 'same-site']);

/** Another site may lead a person here, but it may not fetch, embed or post anything. */
function isForeign(c: Context): boolean {
  return (
    FOREIGN.has(c.req.header('sec-fetch-site')) &&
    !(READS.has(c.req.method) && c.req.header('sec-fetch-mode') === 'navigate')
  );
}

function holdsToken(header: string | undefined, token: string): boolean {
  const [, given] = /^Bearer (.+)$/i.exec(header ?? '') ?? [];
  return given !== undefined && isSame(given, token);
}

/** Compares secrets; how long it takes tells nothing about them. */
export function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function hostName(host: string | undefined): string | undefined {
  return host?.replace(/:\d+$/, '').toLowerCase();
}

function hostOf(origin: string | undefined): string | undefined {
  try {
    return origin === undefined ? undefined : new URL(origin).host;
  } catch {
    return undefined;
  }
}

function refusal(c: Context, status: 401 | 403, code: ErrorCode, message: string): Response {
  return c.json(new PinholeError(code, message).toBody(), status);
}
