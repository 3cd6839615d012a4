import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Background } from '../../src/daemon/background.ts';
import { claude } from '../fixtures/sessions/logs.ts';
import { temporaryFolder } from '../support.ts';
import { freePort, logMessage, startNode } from './nodes.ts';
import { CLIENT, createBrowser, MCP_REDIRECT, startProvider, type TestProvider } from './oidc.ts';
import { type SharedPostgres, sharedPostgres } from './postgres.ts';

/* Sign-in through a real OpenID provider: people on the page, and MCP clients with their own OAuth flow. */

let pg: SharedPostgres;
let node: Background;
let other: Background;
let provider: TestProvider;
let address = '';
let elsewhere = '';

beforeAll(async () => {
  const [port, second] = [await freePort(), await freePort()];
  address = `http://127.0.0.1:${port}`;
  elsewhere = `http://127.0.0.1:${second}`;
  pg = await sharedPostgres();
  provider = await startProvider(address);
  const folder = temporaryFolder();
  const [settings, secret] = [join(folder, 'team.json'), join(folder, 'secret')];
  writeFileSync(secret, `${CLIENT.secret}\n`);
  writeFileSync(
    settings,
    JSON.stringify({
      address,
      provider: {
        issuer: provider.issuer,
        client_id: CLIENT.id,
        client_secret_file: secret,
        scopes: ['openid', 'email', 'profile'],
        people: [
          { claim: { groups: 'admins' }, scopes: ['read', 'admin'], projects: 'all' },
          { email: 'ann@example.com', projects: ['example.com/acme/api'] },
          { email: 'mallory@example.com', projects: 'all' },
        ],
      },
    }),
  );
  const env = { PINHOLE_TEAM_SETTINGS: settings };
  const url = await pg.database();
  node = await startNode(url, { port, env });
  other = await startNode(url, { port: second, env });
  for (const [id, name] of [
    ['aaaaaaaa-1111-4111-8111-111111111111', 'api'],
    ['bbbbbbbb-2222-4222-8222-222222222222', 'web'],
  ] as const)
    await node.app.services.team?.receive(
      logMessage({
        id,
        project: `example.com/acme/${name}`,
        root: '/srv',
        records: [claude({ id }).prompt(`work on ${name}`)],
      }),
    );
});

afterAll(async () => {
  await node?.stop();
  await other?.stop();
  await provider?.stop();
});

type Browser = ReturnType<typeof createBrowser>;

async function signIn(
  account: string,
  to = '/sessions',
): Promise<{ browser: Browser; url: string; answer?: Response }> {
  provider.signInAs(account);
  const browser = createBrowser();
  const start = `${address}/api/sign-in/provider?to=${encodeURIComponent(to)}`;
  return { browser, ...(await browser.follow(start, `${address}/sessions`)) };
}

const sessionsOf = async (browser: Browser, at = address) => {
  const answer = await browser.get(`${at}/api/agent-sessions`);
  if (answer.status !== 200) return answer.status;
  // biome-ignore lint/suspicious/noExplicitAny: the rows have what the test looks at
  const body: any = await answer.json();
  return body.data.sessions.map(({ id }: { id: string }) => id).toSorted();
};

describe('a person on the page', () => {
  test('signs in, sees their projects, and signs out', async () => {
    const { browser, url } = await signIn('ann');
    expect(url).toBe(`${address}/sessions`);
    expect(await sessionsOf(browser)).toEqual(['aaaaaaaa']);
    const audit = await node.app.services.audit.newest(undefined, 1, { operation: 'list_sessions' });
    expect(audit[0]?.client).toMatch(/^ann@example\.com: /);
    // Nothing of a change, and no agent, with the cookie.
    expect((await browser.get(`${address}/mcp`, { method: 'POST' })).status).toBe(401);
    const signOut = (origin: string) =>
      browser.get(`${address}/api/sign-in`, { method: 'DELETE', headers: { origin } });
    const kept = browser.cookies(address);
    expect((await signOut('http://evil.example')).status).toBe(403);
    expect(await sessionsOf(browser)).toEqual(['aaaaaaaa']);
    expect((await signOut(address)).status).toBe(200);
    expect(await sessionsOf(browser)).toBe(401);
    // A copy of the cookie is worthless too.
    const cookie = Object.entries(kept)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    expect((await fetch(`${address}/api/agent-sessions`, { headers: { cookie } })).status).toBe(401);
  });

  test('is known on every node', async () => {
    const { browser } = await signIn('admin-eve');
    const cookie = Object.entries(browser.cookies(address))
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const answer = await fetch(`${elsewhere}/api/agent-sessions`, { headers: { cookie } });
    expect(answer.status).toBe(200);
    expect(await sessionsOf(browser)).toEqual(['aaaaaaaa', 'bbbbbbbb']);
    // An administrator is not a person at a terminal.
    const changed = await browser.get(`${address}/api/allowed`, {
      method: 'POST',
      headers: { origin: address, 'content-type': 'application/json' },
      body: '{"path":"/"}',
    });
    expect(changed.status).toBe(403);
  });

  test.each([
    ['bob', 'do not say what you may see'],
    ['mallory', 'do not say what you may see'],
  ])('%s is refused', async (account, reason) => {
    const { browser, answer } = await signIn(account);
    expect([answer?.status, await answer?.text()]).toEqual([403, expect.stringContaining(reason)]);
    expect(await sessionsOf(browser)).toBe(401);
  });

  test('the cookie cannot be read by scripts, nor sent by other sites', async () => {
    provider.signInAs('ann');
    const browser = createBrowser();
    const start = await browser.get(`${address}/api/sign-in/provider`);
    expect(start.headers.get('set-cookie')).toMatch(
      /^pinhole_begun=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const asked = new URL(start.headers.get('location') ?? '').searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(Object.fromEntries(asked)).toMatchObject({
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${address}/api/sign-in/callback`,
    });
    const { url } = await browser.follow(
      start.headers.get('location') ?? '',
      `${address}/api/sign-in/callback`,
    );
    const done = await browser.get(url);
    expect(done.headers.getSetCookie().find((set) => set.startsWith('pinhole_team='))).toMatch(
      /^pinhole_team=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });
});

describe('an attacker of the sign-in', () => {
  /** Up to the address that the provider sends the browser back to. */
  const callback = async (browser: Browser, to = '/') =>
    (
      await browser.follow(
        `${address}/api/sign-in/provider?to=${encodeURIComponent(to)}`,
        `${address}/api/sign-in/callback`,
      )
    ).url;

  test('cannot use a code twice, or in another browser', async () => {
    provider.signInAs('ann');
    const [victim, attacker] = [createBrowser(), createBrowser()];
    const url = await callback(victim);
    expect((await attacker.get(url)).status).toBe(403);
    // With a sign-in of their own begun, the state is another one.
    await callback(attacker);
    expect((await attacker.get(url)).status).toBe(403);
    const cookies = victim.cookies(address);
    expect((await victim.get(url)).status).toBe(302);
    const again = await fetch(url, {
      headers: { cookie: `pinhole_begun=${cookies.pinhole_begun}` },
      redirect: 'manual',
    });
    expect(again.status).toBe(403);
  });

  test('cannot change the state, the code or the issuer', async () => {
    provider.signInAs('ann');
    for (const [name, value] of [
      ['state', 'made-up'],
      ['code', 'made-up'],
      ['iss', 'https://evil.example'],
    ] as const) {
      const browser = createBrowser();
      const url = new URL(await callback(browser));
      expect(url.searchParams.get('iss')).toBe(provider.issuer);
      url.searchParams.set(name, value);
      expect([name, (await browser.get(url.href)).status]).toEqual([name, 403]);
      expect(await sessionsOf(browser)).toBe(401);
    }
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    '/%09/evil.example',
    '\t//evil.example',
    'javascript:alert(1)',
    '/..//evil.example',
    'http://127.0.0.1:1/',
  ])('cannot send a browser to %j after the sign-in', async (to) => {
    provider.signInAs('ann');
    const browser = createBrowser();
    const answer = await browser.get(await callback(browser, to));
    expect(answer.status).toBe(302);
    const led = new URL(answer.headers.get('location') ?? 'nowhere:', address);
    expect(led.origin).toBe(address);
    expect(answer.headers.get('location')).toMatch(/^\/(?![/\\])/);
  });

  test('cannot claim another host or scheme with the headers of a proxy', async () => {
    const forged = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
    };
    const start = await fetch(`${address}/api/sign-in/provider`, { headers: forged, redirect: 'manual' });
    const asked = new URL(start.headers.get('location') ?? '');
    expect([asked.origin, asked.searchParams.get('redirect_uri')]).toEqual([
      provider.issuer,
      `${address}/api/sign-in/callback`,
    ]);
    const refused = await fetch(`${address}/mcp`, { method: 'POST', headers: forged });
    expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${address}/.well-known/`);
  });
});

/** What an MCP client keeps; its browser follows the redirects at once. */
function oauthClient(registered?: string) {
  const kept: { tokens?: unknown; client?: unknown; verifier?: string; came?: URLSearchParams; asked?: URL } =
    {
      ...(registered !== undefined && { client: { client_id: registered } }),
    };
  const made = {
    redirectUrl: MCP_REDIRECT,
    clientMetadata: {
      redirect_uris: [MCP_REDIRECT],
      client_name: 'an agent',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => {
      kept.tokens = tokens;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
    async redirectToAuthorization(url: URL) {
      kept.asked = url;
      const { url: came } = await createBrowser().follow(url.href, MCP_REDIRECT);
      kept.came = new URL(came).searchParams;
    },
  };
  // The library's types of tokens and clients are wider than what this test keeps.
  return { kept, provider: made as unknown as OAuthClientProvider };
}

async function connectAs(account: string, registered?: string) {
  provider.signInAs(account);
  const { kept, provider: auth } = oauthClient(registered);
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { authProvider: auth });
  const first = transport();
  await expect(new Client({ name: 'agent', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
  await first.finishAuth(kept.came ?? new URLSearchParams());
  const client = new Client({ name: 'agent', version: '1' });
  const connected = client.connect(transport());
  return { client, kept, connected };
}

const textOf = (answer: unknown) => JSON.stringify(answer);

describe('an MCP client', () => {
  test('learns where to get a token', async () => {
    const answer = await fetch(`${address}/mcp`, { method: 'POST' });
    expect(answer.status).toBe(401);
    const [, at = ''] =
      /resource_metadata="([^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '') ?? [];
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${address}/.well-known/oauth-protected-resource/mcp", scope="pinhole:read"`,
    );
    const document = {
      resource: `${address}/mcp`,
      authorization_servers: [provider.issuer],
      scopes_supported: ['pinhole:read'],
      bearer_methods_supported: ['header'],
      resource_name: 'Pinhole',
    };
    expect(await (await fetch(at)).json()).toEqual(document);
    expect(await (await fetch(`${address}/.well-known/oauth-protected-resource`)).json()).toEqual(document);
    // Other routes do not take such tokens, so they do not name the provider.
    expect((await fetch(`${address}/api/health`)).headers.get('www-authenticate')).toBe('Bearer');
  });

  test.each([
    ['registers itself', undefined],
    ['is registered before', 'known-agent'],
  ])('%s, and sees the projects of its person', async (_how, registered) => {
    const { client, kept, connected } = await connectAs('ann', registered);
    await connected;
    // Calls of others may reach the audit meanwhile.
    const callsOfAnn = async () => {
      const calls = await node.app.services.audit.newest(undefined, 100, { operation: 'list_sessions' });
      return calls.filter((call) => call.client.startsWith('ann@example.com: ')).length;
    };
    const before = await callsOfAnn();
    expect(kept.asked?.searchParams.get('resource')).toBe(`${address}/mcp`);
    expect(kept.asked?.searchParams.get('scope')).toContain('pinhole:read');
    const answer = textOf(await client.callTool({ name: 'list_sessions', arguments: {} }));
    expect(answer).toContain('aaaaaaaa');
    expect(answer).not.toContain('bbbbbbbb');
    await expect.poll(callsOfAnn).toBe(before + 1);
    await client.close();
    // The token is for /mcp alone, and not in an address.
    const token = String((kept.tokens as { access_token: string }).access_token); // what the library saved
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    expect((await fetch(`${address}/api/agent-sessions`, bearer)).status).toBe(401);
    expect((await fetch(`${address}/mcp?access_token=${token}`, { method: 'POST' })).status).toBe(401);
    expect((await fetch(`${elsewhere}/mcp`, { method: 'POST', ...bearer })).status).not.toBe(401);
  });

  test('of somebody whom no rule names gets nothing', async () => {
    const { connected } = await connectAs('bob');
    await expect(connected).rejects.toThrow();
  });
});

describe('a forged access token', () => {
  let sign: (
    claims: Readonly<Record<string, unknown>>,
    more?: { alg?: string; key?: unknown },
  ) => Promise<string>;
  beforeAll(async () => {
    const { privateKey } = await generateKeyPair('RS256');
    sign = (claims) =>
      new SignJWT({
        sub: 'ann',
        scope: 'pinhole:read',
        email: 'ann@example.com',
        email_verified: true,
        ...claims,
      })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt' })
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey);
  });

  const statusOf = async (token: string) => {
    const answer = await fetch(`${address}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    return [answer.status, answer.headers.get('www-authenticate')?.includes('error="invalid_token"')];
  };

  test('is refused: of another key, without a signature, with the public key as a password', async () => {
    const good = { iss: provider.issuer, aud: `${address}/mcp` };
    expect(await statusOf(await sign(good))).toEqual([401, true]);
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = part({ ...good, sub: 'ann', exp: 4_000_000_000, scope: 'pinhole:read' });
    expect(await statusOf(`${part({ alg: 'none' })}.${claims}.`)).toEqual([401, true]);
    const { keys } = (await (await fetch(`${provider.issuer}/jwks`)).json()) as {
      keys: { kid: string; n: string }[];
    }; // what a JWKS has
    const secret = new TextEncoder().encode(JSON.stringify(keys[0]));
    const mixed = await new SignJWT({ ...good, sub: 'ann', scope: 'pinhole:read' })
      .setProtectedHeader({ alg: 'HS256', kid: keys[0]?.kid ?? '' })
      .setExpirationTime('1h')
      .sign(secret);
    expect(await statusOf(mixed)).toEqual([401, true]);
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const own = await new SignJWT({ ...good, sub: 'ann', scope: 'pinhole:read' })
      .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) })
      .setExpirationTime('1h')
      .sign(privateKey);
    expect(await statusOf(own)).toEqual([401, true]);
    expect(await statusOf('rubbish')).toEqual([401, true]);
  });

  /** A token of the provider itself, for what it is asked. */
  async function tokenFor(resource: string, scope: string): Promise<string> {
    provider.signInAs('ann');
    const verifier = 'v'.repeat(43);
    const { createHash } = await import('node:crypto');
    const query = new URLSearchParams({
      client_id: 'known-agent',
      redirect_uri: MCP_REDIRECT,
      response_type: 'code',
      scope,
      resource,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const { url } = await createBrowser().follow(`${provider.issuer}/auth?${query}`, MCP_REDIRECT);
    const answer = await fetch(`${provider.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'known-agent',
        code: new URL(url).searchParams.get('code') ?? '',
        redirect_uri: MCP_REDIRECT,
        code_verifier: verifier,
        resource,
      }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the token endpoint's answer
    const body: any = await answer.json();
    return String(body.access_token);
  }

  test('of the right provider is refused where it is for another resource, or for nothing', async () => {
    expect(await statusOf(await tokenFor('https://other.example/mcp', 'pinhole:read'))).toEqual([401, true]);
    expect((await statusOf(await tokenFor(`${address}/mcp`, 'pinhole:read')))[0]).not.toBe(401);
    const narrow = await fetch(`${address}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenFor(`${address}/mcp`, 'pinhole:admin')}` },
    });
    expect(narrow.status).toBe(403);
    expect(narrow.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", resource_metadata="${address}/.well-known/oauth-protected-resource/mcp", scope="pinhole:read"`,
    );
  });
});
