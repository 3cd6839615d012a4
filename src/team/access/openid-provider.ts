import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { errorText, PinholeError } from '../../contract/errors.ts';
import type { TokenHolder } from '../team-tokens.ts';
import { type BegunSignIn, CALLBACK } from './sign-ins.ts';
import { clientSecret, type TeamSettings } from './team-settings.ts';
import { type Claims, holderOfClaims } from './who-sees.ts';

/** A valid access token. */
export interface CheckedToken {
  readonly holder: TokenHolder;
  readonly subject: string;
  readonly untilMs: number;
}

export type OpenIdProvider = ReturnType<typeof createProvider>;

/** Only algorithms that need the provider's private key to sign. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'];
const CLOCK_SECONDS = 30;
/** The provider's metadata is read again after this time. */
const DISCOVERY_MS = 3_600_000;
const ANSWER_MS = 10_000;

/** The OpenID provider that a team server trusts: for people on the page, and for MCP clients. */
export function createProvider(
  settings: TeamSettings & { readonly provider: NonNullable<TeamSettings['provider']> },
  now: () => number = Date.now,
) {
  const { address, provider } = settings;
  const issuer = new URL(provider.issuer);
  const redirect = address + CALLBACK;
  const resource = `${address}/mcp`;
  const client: oauth.Client = { client_id: provider.client_id };
  const secret = clientSecret(provider);
  const http = () => ({
    signal: AbortSignal.timeout(ANSWER_MS),
    // The settings allow plain HTTP only to this machine.
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
  });
  let known: { readonly server: Promise<oauth.AuthorizationServer>; readonly untilMs: number } | undefined;
  let keys: { readonly uri: string; readonly set: ReturnType<typeof createRemoteJWKSet> } | undefined;

  /** What the provider says about itself; its issuer must match the settings. */
  function discover(): Promise<oauth.AuthorizationServer> {
    if (known !== undefined && known.untilMs > now()) return known.server;
    const server = oauth
      .discoveryRequest(issuer, http())
      .then((answer) => oauth.processDiscoveryResponse(issuer, answer));
    known = { server, untilMs: now() + DISCOVERY_MS };
    server.catch(() => {
      known = undefined;
    });
    return server;
  }

  async function reached<T>(work: (server: oauth.AuthorizationServer) => Promise<T>): Promise<T> {
    const server = await discover().catch((error: unknown) => {
      throw new PinholeError(
        'unavailable',
        `The provider ${issuer.origin} cannot be reached: ${errorText(error)}`,
      );
    });
    return work(server);
  }

  function keysOf({ jwks_uri: uri = '' }: oauth.AuthorizationServer): ReturnType<typeof createRemoteJWKSet> {
    if (keys?.uri !== uri)
      keys = { uri, set: createRemoteJWKSet(new URL(uri), { timeoutDuration: ANSWER_MS }) };
    return keys.set;
  }

  return {
    issuer: provider.issuer,
    resource,
    readScope: `${provider.scope_prefix}read`,

    /** The URL to send a browser to, and what to remember until it returns. */
    begin: (to: string): Promise<{ readonly url: string; readonly begun: BegunSignIn }> =>
      reached(async (server) => {
        const begun = {
          state: oauth.generateRandomState(),
          nonce: oauth.generateRandomNonce(),
          verifier: oauth.generateRandomCodeVerifier(),
          to,
        };
        const url = new URL(server.authorization_endpoint ?? '');
        const asked = {
          client_id: client.client_id,
          redirect_uri: redirect,
          response_type: 'code',
          scope: provider.scopes.join(' '),
          state: begun.state,
          nonce: begun.nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(begun.verifier),
          code_challenge_method: 'S256',
        };
        for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
        return { url: url.href, begun };
      }),

    /** The claims of a person who returned from the provider; throws if anything about the response is wrong. */
    finish: (came: URLSearchParams, begun: BegunSignIn): Promise<Claims> =>
      reached(async (server) => {
        try {
          const good = oauth.validateAuthResponse(server, client, came, begun.state);
          const proof = secret ? oauth.ClientSecretBasic(secret) : oauth.None();
          const answer = await oauth.authorizationCodeGrantRequest(
            server,
            client,
            proof,
            good,
            redirect,
            begun.verifier,
            http(),
          );
          const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
            expectedNonce: begun.nonce,
            requireIdToken: true,
          });
          await oauth.validateApplicationLevelSignature(server, answer, http());
          return oauth.getValidatedIdTokenClaims(tokens) ?? {};
        } catch (error) {
          throw new PinholeError('forbidden', `The sign-in failed: ${errorText(error)}. Try again.`);
        }
      }),

    /** Who holds an access token for this server; undefined if it is invalid, or no rule matches them. */
    checkAccessToken: (token: string): Promise<CheckedToken | undefined> =>
      reached(async (server) => {
        const checked = await jwtVerify(token, keysOf(server), {
          issuer: server.issuer,
          audience: resource,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_SECONDS,
          requiredClaims: ['exp', 'sub'],
        }).catch(() => undefined);
        if (checked === undefined) return undefined;
        const { payload } = checked;
        const holder = holderOfClaims(payload, provider);
        if (holder === undefined) return undefined;
        const granted = scopesOf(payload);
        const scopes = holder.scopes.filter((scope) => granted.includes(provider.scope_prefix + scope));
        return {
          holder: { ...holder, scopes },
          subject: String(payload.sub),
          untilMs: ((payload.exp ?? 0) + CLOCK_SECONDS) * 1_000,
        };
      }),
  };
}

/** Most providers write `scope` with spaces; some write `scp`, as a list or with spaces. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  return [scope, scp].flat().flatMap((given) => (typeof given === 'string' ? given.split(' ') : []));
}
