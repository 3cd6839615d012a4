import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider, { type Configuration } from 'oidc-provider';

/** A real OpenID provider that signs everybody in as the account last named by `signInAs`. */
export interface TestProvider {
  readonly issuer: string;
  signInAs(account: string): void;
  stop(): Promise<void>;
}

const SECRET = 'the-secret-of-the-page';
export const CLIENT = { id: 'pinhole', secret: SECRET };
export const MCP_REDIRECT = 'http://127.0.0.1:9/callback';

/** Accounts are email addresses; `mallory`'s was never verified. `groups` follow from the name. */
const claimsOf = (account: string) => ({
  sub: account,
  email: `${account}@example.com`,
  email_verified: account !== 'mallory',
  groups: account.startsWith('admin') ? ['platform', 'admins'] : ['platform'],
});

export async function startProvider(address: string, resource = `${address}/mcp`): Promise<TestProvider> {
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  if (typeof place !== 'object' || place === null) throw new Error('no port');
  const issuer = `http://127.0.0.1:${place.port}`;
  let account = 'ann';
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: SECRET,
        redirect_uris: [`${address}/api/sign-in/callback`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
      {
        client_id: 'known-agent',
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        redirect_uris: [MCP_REDIRECT],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    scopes: ['openid', 'offline_access', 'pinhole:read', 'pinhole:admin'],
    conformIdTokenClaims: false,
    cookies: { keys: ['a test'] },
    findAccount: (_ctx, id) => ({ accountId: id, claims: async () => claimsOf(id) }),
    extraTokenClaims: (_ctx, token) => ('accountId' in token ? claimsOf(String(token.accountId)) : undefined),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        // Any resource: the server has to notice that a token is for another one.
        getResourceServerInfo: (_ctx, audience) => ({
          audience,
          scope: 'pinhole:read pinhole:admin',
          accessTokenFormat: 'jwt',
        }),
        useGrantedResource: () => true,
      },
    },
  };
  const provider = new Provider(issuer, configuration);
  const callback = provider.callback();

  async function handle(
    request: Parameters<typeof callback>[0],
    response: Parameters<typeof callback>[1],
  ): Promise<void> {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: account } });
    const grant = new provider.Grant({
      accountId: session?.accountId ?? account,
      clientId: String(params.client_id),
    });
    grant.addOIDCScope(String(params.scope));
    const asked = typeof params.resource === 'string' ? params.resource : resource;
    grant.addResourceScope(asked, String(params.scope));
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }

  return {
    issuer,
    signInAs: (name) => {
      account = name;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A browser that keeps cookies by host and port, and follows redirects until they reach `until`, or end. */
export function createBrowser() {
  const jar = new Map<string, Map<string, string>>();
  const cookiesOf = (origin: string) =>
    jar.get(origin) ?? jar.set(origin, new Map()).get(origin) ?? new Map();
  async function get(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url);
    const cookies = cookiesOf(origin);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(cookie !== '' && { cookie }), ...init.headers },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '' || /max-age=0/i.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }
  return {
    get,
    cookies: (origin: string) => Object.fromEntries(cookiesOf(origin)),
    /** Where redirects lead: an address that begins with `until`, which is not requested, or the last answer. */
    async follow(
      start: string,
      until = 'nowhere',
    ): Promise<{ readonly url: string; readonly answer?: Response }> {
      let url = start;
      for (let steps = 0; steps < 20; steps++) {
        if (url.startsWith(until)) return { url };
        const answer = await get(url);
        const location = answer.headers.get('location');
        if (location === null) return { url, answer };
        url = new URL(location, url).href;
      }
      throw new Error(`too many redirects: ${url}`);
    },
  };
}
