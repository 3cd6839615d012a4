import type { Context, MiddlewareHandler } from 'hono';
import type { AccessKeys } from '../app/access-keys.ts';
import { type ErrorCode, PinholeError } from '../contract/errors.ts';
import type { TokenHolder } from '../team/team-tokens.ts';
import { createStreamEnder } from './end-streams.ts';
import type { OAuthResource } from './oauth-resource.ts';
import { holderWho, type SignedIn } from './person.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Keeps other web sites out (DNS rebinding, cross-site requests). These headers can only get a request refused, never
 * admitted, because any program can forge them.
 *
 * @param hosts host names that requests may use, without port; undefined: any
 */
export function refuseForeign({
  hosts,
}: {
  readonly hosts: readonly string[] | undefined;
}): MiddlewareHandler {
  return async function refuseForeignRequest(c, next) {
    const host = hostName(c.req.header('host'));
    if (host === undefined || !(hosts?.includes(host) ?? true)) {
      return refusal(c, 403, 'forbidden', 'This host name is not served. Use 127.0.0.1.');
    }
    if ((c.req.header('origin') !== undefined && !isSameOrigin(c)) || isForeign(c)) {
      return refusal(c, 403, 'forbidden', 'Requests from other web pages are refused.');
    }
    return await next();
  };
}

/** Admits requests with a token or from a browser that signed in, and records who asks. */
export function requireProof(options: {
  readonly keys: Pick<AccessKeys, 'kindOf'>;
  /** Who signed in with the cookie of a request. */
  readonly session: (c: Context) => SignedIn | undefined | Promise<SignedIn | undefined>;
  /** Who holds a token of a team server. */
  readonly holderOf?: ((token: string) => Promise<TokenHolder | undefined>) | undefined;
  /** Access tokens of the team's provider. */
  readonly oauth?: OAuthResource | undefined;
  /** Counts the requests of a holder; throws if there are too many. */
  readonly count?: ((proof: string) => void) | undefined;
}): MiddlewareHandler {
  const endWith = createStreamEnder();
  return async function requireProofOfRequest(c, next) {
    const known =
      tokenHolder(c, options.keys) ??
      (await teamHolder(c, options.holderOf)) ??
      (await oauthHolder(c, options.oauth)) ??
      (mayUseCookie(c) ? await options.session(c) : undefined);
    if (known === undefined)
      return unauthorized(
        c,
        options.oauth?.challenge(c, bearer(c) === undefined ? undefined : 'invalid_token'),
      );
    if (known.holder !== undefined) options.count?.(known.id);
    c.set('who', known.who);
    c.set('proof', known.id);
    c.set('holder', known.holder);
    await next();
    if (known.proof !== undefined) c.res = endWith(c.res, known.proof);
    return undefined;
  };
}

/** Browsers send the cookie with requests of other pages too, so with it only our own page may change something. */
function mayUseCookie(c: Context): boolean {
  return c.req.path !== '/mcp' && (READS.has(c.req.method) || isSameOrigin(c));
}

/** The answer to a request without proof of who asks. */
export function unauthorized(c: Context, challenge = 'Bearer'): Response {
  c.header('WWW-Authenticate', challenge);
  return refusal(
    c,
    401,
    'unauthorized',
    'Sign in first. A person runs: pinhole open. A script sends the header: Authorization: Bearer $(pinhole token)',
  );
}

/** Whether a request comes from a page of this server. */
export function isSameOrigin(c: Context): boolean {
  const origin = c.req.header('origin');
  const host = hostOf(origin);
  return host !== undefined && (host === c.req.header('host')?.toLowerCase() || origin === c.get('outside'));
}

/** For browsers, all ports of this machine are one site, but what another port serves is not ours. */
const FOREIGN: ReadonlySet<string | undefined> = new Set(['cross-site', 'same-site']);

/** Another site may link to a page here, but not fetch, embed or post anything. */
function isForeign(c: Context): boolean {
  return (
    FOREIGN.has(c.req.header('sec-fetch-site')) &&
    !(READS.has(c.req.method) && c.req.header('sec-fetch-mode') === 'navigate')
  );
}

function bearer(c: Context): string | undefined {
  return /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
}

async function oauthHolder(c: Context, oauth: OAuthResource | undefined): Promise<SignedIn | undefined> {
  const given = bearer(c);
  return given === undefined ? undefined : await oauth?.holderOf(c, given);
}

async function teamHolder(
  c: Context,
  holderOf: ((token: string) => Promise<TokenHolder | undefined>) | undefined,
): Promise<SignedIn | undefined> {
  const given = bearer(c);
  const holder = given === undefined ? undefined : await holderOf?.(given);
  if (holder === undefined) return undefined;
  const holds = async () => (await holderOf?.(given ?? '')) !== undefined;
  return { who: holderWho(holder), id: `team:${holder.name}`, holder, proof: { key: given ?? '', holds } };
}

function tokenHolder(c: Context, keys: Pick<AccessKeys, 'kindOf'>): SignedIn | undefined {
  const given = bearer(c);
  const who = given === undefined ? undefined : keys.kindOf(given);
  return who && { who, id: who === 'script' ? 'token' : 'team' };
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

export function refusal(c: Context, status: 401 | 403, code: ErrorCode, message: string): Response {
  return c.json(new PinholeError(code, message).toBody(), status);
}
