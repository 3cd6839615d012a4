import { Hono } from 'hono';
import { afterAll, describe, expect, test } from 'vitest';
import { pageAddress } from '../src/daemon/connect.ts';
import { findOwner } from '../src/daemon/find-owner.ts';
import { becomeOwner } from '../src/daemon/owner.ts';
import { guard } from '../src/http/guard.ts';
import { createSignIn } from '../src/http/sign-in.ts';
import { temporaryFolder } from './support.ts';

const home = temporaryFolder();
// On every address: then all but the bare page needs the token.
const owner = await becomeOwner({ home, host: '0.0.0.0', port: 0, strictPort: true, idleMs: undefined });
if (owner === undefined) throw new Error('no owner');
afterAll(() => owner.stop());
const base = `http://127.0.0.1:${owner.port}`;
const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  fetch(base + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const status = async (...given: Parameters<typeof ask>) => (await ask(...given)).status;
const page = { origin: base };

async function signIn(proof: unknown): Promise<string> {
  const response = await ask('POST', '/api/sign-in', page, proof);
  expect(response.status).toBe(200);
  const set = response.headers.get('set-cookie') ?? '';
  expect(set).toMatch(/^pinhole_\w+=.*; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
  return set.split(';')[0] ?? '';
}

describe('beyond loopback', () => {
  test('the bare page comes without the token, nothing else does', async () => {
    expect(await status('GET', '/sessions')).not.toBe(401);
    expect(await status('GET', '/api/health')).toBe(401);
    expect(await status('GET', '/api/live')).toBe(401);
    expect(await status('POST', '/mcp', page, {})).toBe(401);
    expect(await status('GET', '/api/health', { authorization: `Bearer ${owner.token}` })).toBe(200);
  });

  test('the token gives a cookie that reads, and that changes things only from our own page', async () => {
    expect(await status('POST', '/api/sign-in', {}, { token: owner.token })).toBe(401);
    expect(
      await status('POST', '/api/sign-in', { origin: 'https://evil.example' }, { token: owner.token }),
    ).toBe(403);
    expect(await status('POST', '/api/sign-in', page, { token: 'wrong' })).toBe(403);
    expect(await status('POST', '/api/sign-in', page, [])).toBe(403);
    const cookie = await signIn({ token: owner.token });
    expect(await status('GET', '/api/health', { cookie })).toBe(200);
    const change = (headers: Record<string, string>) =>
      status('POST', '/api/allowed', { cookie, ...headers }, { path: home });
    expect(await change({})).toBe(401);
    expect(await change({ origin: 'https://evil.example' })).toBe(403);
    expect(await change(page)).toBe(200);
    expect(await status('POST', '/mcp', { cookie, ...page }, {})).toBe(401);
    expect(await status('POST', '/internal/stop', { cookie, ...page })).toBe(401);
  });

  test('signing out ends the cookie, also a copy of it', async () => {
    const cookie = await signIn({ token: owner.token });
    expect(await status('DELETE', '/api/sign-in', { cookie })).toBe(401);
    expect(await status('GET', '/api/health', { cookie })).toBe(200);
    const out = await ask('DELETE', '/api/sign-in', { cookie, ...page });
    expect(out.headers.get('set-cookie')).toMatch(/^pinhole_\w+=; Max-Age=0/);
    expect(await status('GET', '/api/health', { cookie })).toBe(401);
  });

  test('a link signs in once', async () => {
    const record = await findOwner(home);
    if (record === undefined) throw new Error('no owner found');
    const address = await pageAddress(record);
    const [, code] = /^http:\/\/127\.0\.0\.1:\d+\/#sign-in=([\w-]{24})$/.exec(address) ?? [];
    const cookie = await signIn({ code });
    expect(await status('GET', '/api/health', { cookie })).toBe(200);
    const again = await ask('POST', '/api/sign-in', page, { code });
    expect(again.status).toBe(403);
    expect(await again.text()).toContain('pinhole open makes a new one');
  });
});

test('cookies and links end with time, with the token, and when somebody changes them', async () => {
  let now = 1_000_000;
  const made = createSignIn('a token', () => now);
  const other = createSignIn('another token', () => now);
  const app = new Hono();
  made.routes(app);
  app.get('/in', (c) => c.text(`${made.holdsCookie(c)} ${other.holdsCookie(c)}`));
  const post = (body: unknown) => app.request('/api/sign-in', { method: 'POST', body: JSON.stringify(body) });
  const isIn = async (cookie: string) => (await app.request('/in', { headers: { cookie } })).text();
  const cookie = (await post({ token: 'a token' })).headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(await isIn(cookie)).toBe('true false');
  expect(await isIn(cookie.replace(/=\d/, '=9'))).toBe('false false');
  expect(await isIn(`${cookie.split('=')[0]}=`)).toBe('false false');
  const code = made.link().split('=')[1];
  now += 16 * 60_000;
  expect((await post({ code })).status).toBe(403);
  expect(await isIn(cookie)).toBe('true false');
  now += 31 * 86_400_000;
  expect(await isIn(cookie)).toBe('false false');
});

test.each(['cross-site', 'same-site'])(
  'other pages (%s) may lead here, not fetch from here',
  async (site) => {
    const app = new Hono();
    app.use(guard({ hosts: ['localhost'], token: 'a token', tokenForAll: false, holdsCookie: () => true }));
    app.all('*', (c) => c.text('in'));
    const from = async (method: string, path: string, mode: string) => {
      const headers = { host: 'localhost', 'sec-fetch-site': site, 'sec-fetch-mode': mode };
      return (await app.request(path, { method, headers })).status;
    };
    expect(await from('GET', '/sessions/a1b2c3d4', 'navigate')).toBe(200);
    expect(await from('GET', '/api/health', 'no-cors')).toBe(403);
    expect(await from('GET', '/api/indexes/i1/nodes/n2/content', 'cors')).toBe(403);
    expect(await from('POST', '/mcp', 'navigate')).toBe(403);
  },
);
