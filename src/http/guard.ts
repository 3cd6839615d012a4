import { timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { ErrorBody } from '../contract/errors.ts';

export interface GuardOptions {
  /** Hosts a request may name, without port, such as `127.0.0.1`. */
  readonly hosts: readonly string[];
  readonly token: string;
  /** Everything but the bare page needs the token: when listening on more than loopback. */
  readonly tokenForAll: boolean;
  /** Whether the request comes from a browser that signed in. */
  readonly holdsCookie: (c: Context) => boolean;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const SIGN_IN = '/api/sign-in';

/**
 * Keeps other web sites out (DNS rebinding, cross-site requests) and lets changes in only from our own page or
 * with the local token.
 */
export function guard(options: GuardOptions): MiddlewareHandler {
  return async function guardRequest(c, next) {
    const host = hostName(c.req.header('host'));
    // Where every request needs the token, a foreign name gains nothing, and machines have many names.
    if (host === undefined || !(options.tokenForAll || options.hosts.includes(host))) {
      return c.json(refusal(`This host name is not served; use 127.0.0.1.`), 403);
    }
    const origin = c.req.header('origin');
    const sameOrigin =
      origin !== undefined &&
      hostName(safeHost(origin)) !== undefined &&
      sameHost(origin, c.req.header('host'));
    if ((origin !== undefined && !sameOrigin) || isForeign(c)) {
      return c.json(refusal('Requests from other web pages are refused.'), 403);
    }
    if (!isAllowed(c, options, sameOrigin)) {
      c.header('WWW-Authenticate', 'Bearer');
      return c.json(
        refusal(
          'This request needs the local token (Authorization: Bearer …; pinhole status shows where it is).',
        ),
        401,
      );
    }
    await next();
  };
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

function isAllowed(c: Context, options: GuardOptions, sameOrigin: boolean): boolean {
  const { path, method } = c.req;
  if (holdsToken(c.req.header('authorization'), options.token)) return true;
  if (path.startsWith('/internal/')) return false;
  const reads = READS.has(method);
  // Only our own page signs in and out; a cookie alone changes nothing, since it could be another page's doing.
  if (path === SIGN_IN) return sameOrigin;
  if (options.tokenForAll) {
    const isPage = reads && !path.startsWith('/api/') && path !== '/mcp';
    return isPage || (path !== '/mcp' && (reads || sameOrigin) && options.holdsCookie(c));
  }
  return path === '/mcp' || reads || sameOrigin;
}

export function holdsToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header?.replace(/^Bearer /, '') ?? '');
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function hostName(host: string | undefined): string | undefined {
  return host?.replace(/:\d+$/, '').toLowerCase();
}

function safeHost(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}

function sameHost(origin: string, host: string | undefined): boolean {
  return safeHost(origin) === host?.toLowerCase();
}

function refusal(message: string): ErrorBody {
  return { error: { code: 'path_not_allowed', message, retryable: false } };
}
