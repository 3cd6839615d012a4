import type { Context, Hono } from 'hono';
import type { TeamAccess } from '../team/access/team-access.ts';
import { holderWho, type SignedIn } from './person.ts';

/** Where the metadata of /mcp is: the path of the resource follows the well-known one. */
const METADATA = '/.well-known/oauth-protected-resource';

/** How MCP clients get in with an access token of the provider (RFC 9728, as MCP says). */
export interface OAuthResource {
  routes(app: Hono): void;
  /** Who holds an access token. Tokens are made for /mcp, so they open nothing else. */
  holderOf(c: Context, token: string): Promise<SignedIn | undefined>;
  /** The header of a refusal; it tells a client where to get a token, and for what. */
  challenge(c: Context, error?: 'invalid_token' | 'insufficient_scope'): string | undefined;
}

export function oauthResource({ provider, address }: TeamAccess): OAuthResource | undefined {
  if (provider === undefined) return undefined;
  const isResource = (c: Context) => c.req.path === '/mcp';
  const document = {
    resource: provider.resource,
    authorization_servers: [provider.issuer],
    scopes_supported: [provider.readScope],
    bearer_methods_supported: ['header'],
    resource_name: 'Pinhole',
  };
  return {
    routes(app) {
      // Clients that got no header look at the second one too.
      for (const path of [`${METADATA}/mcp`, METADATA]) app.get(path, (c) => c.json(document));
    },
    async holderOf(c, token) {
      if (!isResource(c)) return undefined;
      const checked = await provider.checkAccessToken(token);
      if (checked === undefined) return undefined;
      const { holder, subject, untilMs } = checked;
      const holds = async () => Date.now() < untilMs;
      return { who: holderWho(holder), id: `oauth:${subject}`, holder, proof: { key: token, holds } };
    },
    challenge(c, error) {
      if (!isResource(c)) return undefined;
      const parts = {
        ...(error && { error }),
        resource_metadata: `${address}${METADATA}/mcp`,
        scope: provider.readScope,
      };
      return `Bearer ${Object.entries(parts)
        .map(([name, value]) => `${name}="${value}"`)
        .join(', ')}`;
    },
  };
}
