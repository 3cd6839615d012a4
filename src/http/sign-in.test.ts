import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, describe, expect, test } from 'vitest';
import { personHeaders, scriptHeaders } from '../../test/sign-in.ts';
import { ask as askApp, temporaryFolder } from '../../test/support.ts';
import { accessKeys, teamToken } from '../app/access-keys.ts';
import { readBackgroundRecord, writeBackgroundRecord } from '../connect/background-record.ts';
import { findBackground } from '../connect/find-background.ts';
import { pageAddress, replaceToken } from '../connect/find-or-start.ts';
import { startBackground } from '../daemon/background.ts';
import { refuseForeign, requireProof } from './guard.ts';
import { createSignIn } from './sign-in.ts';

const start = async (home: string, host: string, port = 0) => {
  const begun = await startBackground({ home, host, port, strictPort: true, idleMs: undefined });
  if (begun === undefined) throw new Error('no background process');
  afterAll(() => begun.stop());
  return begun;
};
const home = temporaryFolder();
// On every address, as for a team.
const background = await start(home, '0.0.0.0');
const base = `http://127.0.0.1:${background.port}`;
const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  fetch(base + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const status = async (...given: Parameters<typeof ask>) => (await ask(...given)).status;
const page = { origin: base };
const token = scriptHeaders(background);

async function signIn(proof: unknown): Promise<string> {
  const response = await ask('POST', '/api/sign-in', page, proof);
  expect(response.status).toBe(200);
  const set = response.headers.get('set-cookie') ?? '';
  expect(set).toMatch(/^pinhole_\w+=.*; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
  return set.split(';')[0] ?? '';
}

const allow = (headers: Record<string, string>) => status('POST', '/api/allowed', headers, { path: home });

describe('signing in', () => {
  test('a link signs a person in, once', async () => {
    const record = await findBackground(home);
    if (record === undefined) throw new Error('no background found');
    const address = await pageAddress(record);
    const [, code] = /^http:\/\/127\.0\.0\.1:\d+\/#sign-in=([\w-]{24})$/.exec(address) ?? [];
    const cookie = await signIn({ code });
    expect(await status('GET', '/api/health', { cookie })).toBe(200);
    const again = await ask('POST', '/api/sign-in', page, { code });
    expect(again.status).toBe(403);
    expect(await again.text()).toContain('For a new one, run: pinhole open');
    // The cookie changes things only from our own page.
    expect(await allow({ cookie })).toBe(401);
    expect(await allow({ cookie, origin: 'https://evil.example' })).toBe(403);
    expect(await allow({ cookie, ...page })).toBe(200);
    expect(await status('POST', '/mcp', { cookie, ...page }, {})).toBe(401);
  });

  test('the token signs a guest in, who looks at what is allowed and is not a person', async () => {
    expect(await status('POST', '/api/sign-in', {}, { token: background.token })).toBe(401);
    expect(
      await status('POST', '/api/sign-in', { origin: 'https://evil.example' }, { token: background.token }),
    ).toBe(403);
    expect(await status('POST', '/api/sign-in', page, { token: 'wrong' })).toBe(403);
    expect(await status('POST', '/api/sign-in', page, [])).toBe(403);
    const cookie = await signIn({ token: background.token });
    expect(await status('GET', '/api/health', { cookie })).toBe(200);
    expect(await allow({ cookie, ...page })).toBe(403);
  });

  test('signing out ends the cookie, also a copy of it', async () => {
    const { cookie } = await personHeaders(background);
    expect(await status('DELETE', '/api/sign-in', { cookie })).toBe(401);
    expect(await status('GET', '/api/health', { cookie })).toBe(200);
    const out = await ask('DELETE', '/api/sign-in', { cookie, ...page });
    expect(out.headers.get('set-cookie')).toMatch(/^pinhole_\w+=; Max-Age=0/);
    expect(await status('GET', '/api/health', { cookie })).toBe(401);
  });

  test('a cookie ends with its process, the token does not', async () => {
    const place = temporaryFolder();
    const first = await start(place, '127.0.0.1');
    const { cookie } = await personHeaders(first);
    await first.stop();
    const second = await start(place, '127.0.0.1', first.port);
    expect(second.token).toBe(first.token);
    const health = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${second.port}/api/health`, { headers })).status;
    expect(await health({ cookie, connection: 'close' })).toBe(401);
    expect(await health(scriptHeaders(first))).toBe(200);
  });
});

describe('the tokens', () => {
  const health = async (port: number, given: string) =>
    (
      await fetch(`http://127.0.0.1:${port}/api/health`, {
        headers: { authorization: `Bearer ${given}`, connection: 'close' },
      })
    ).status;

  test('are replaced on demand: the old ones and all sign-ins are of no use', async () => {
    const place = temporaryFolder();
    const process = await start(place, '127.0.0.1');
    const { cookie } = await personHeaders(process);
    const running = await findBackground(place);
    if (running === undefined) throw new Error('no background found');
    const fresh = await replaceToken(running);
    expect(fresh).not.toBe(process.token);
    expect(await health(process.port, process.token)).toBe(401);
    expect(await health(process.port, teamToken(process.token))).toBe(401);
    expect(await health(process.port, fresh)).toBe(200);
    expect(await health(process.port, teamToken(fresh))).toBe(200);
    const withCookie = await fetch(`http://127.0.0.1:${process.port}/api/health`, { headers: { cookie } });
    expect(withCookie.status).toBe(401);
    // Also for those who read it from the data folder, and after a restart in order.
    expect((await findBackground(place))?.token).toBe(fresh);
    await process.stop();
    expect((await start(place, '127.0.0.1')).token).toBe(fresh);
  });

  test('are replaced after a crash', async () => {
    const place = temporaryFolder();
    const first = await start(place, '127.0.0.1');
    const record = readBackgroundRecord(place);
    if (record === undefined) throw new Error('no record');
    await first.stop();
    // What a process leaves that was killed.
    writeBackgroundRecord(place, record);
    const second = await start(place, '127.0.0.1');
    expect(second.token).not.toBe(first.token);
    expect(await health(second.port, first.token)).toBe(401);
  });
});

describe('who has the token of a team', () => {
  const secret = join(temporaryFolder(), 'private');
  mkdirSync(secret);
  writeFileSync(join(secret, 'p.txt'), 'CANARY');

  test('reaches nothing that is for our own programs', async () => {
    const caller = { door: 'cli', client: 'x', id: 'x', roots: ['/'], budget: 50_000, format: 'json' };
    const replies = await Promise.all([
      ask('GET', '/internal/hello', token),
      ask('POST', '/internal/run', token, {
        operation: 'file_view',
        input: { path: join(secret, 'p.txt') },
        caller,
      }),
      ask('POST', '/internal/grep', token, { pattern: 'CANARY', paths: [{ folder: secret, lead: '' }] }),
      ask('POST', '/internal/page-link', token),
      ask('POST', '/internal/stop', token),
    ]);
    expect(replies.map((reply) => reply.status)).toEqual([404, 404, 404, 404, 404]);
    for (const reply of replies) expect(await reply.text()).not.toContain('CANARY');
    expect(await status('GET', '/healthz')).toBe(200);
  });

  test('reads allowed folders only, and does nothing that needs a person', async () => {
    const path = encodeURIComponent(join(secret, 'p.txt'));
    // An agent brought the folder along: its person sees it on the page, nobody else does.
    await askApp(background.app, 'file_view', { path: join(secret, 'p.txt') }, { roots: [secret] });
    const person = await personHeaders(background);
    const made = { ...token, ...page, 'sec-fetch-site': 'same-origin' };
    const guest = { cookie: await signIn({ token: background.token }), ...page };
    expect(await status('GET', `/api/files/view?path=${path}`, person)).toBe(200);
    for (const headers of [token, made, guest]) {
      expect(await status('GET', `/api/files/view?path=${path}`, headers)).toBe(403);
      expect(await allow(headers)).toBe(403);
      expect(await status('POST', '/api/indexes/import', headers, { file: '/etc/passwd' })).toBe(403);
    }
  });
});

test('cookies and links end with time, and are of no use elsewhere or changed', async () => {
  let now = 1_000_000;
  const made = createSignIn(accessKeys('a token'), () => now);
  const other = createSignIn(accessKeys('a token'), () => now);
  const app = new Hono();
  made.routes(app);
  app.get('/in', (c) => c.text(`${made.session(c)?.who} ${other.session(c)?.who}`));
  const headers = { origin: 'http://localhost', host: 'localhost' };
  const post = (body: unknown) =>
    app.request('/api/sign-in', { method: 'POST', headers, body: JSON.stringify(body) });
  const isIn = async (cookie: string) => (await app.request('/in', { headers: { cookie } })).text();
  const cookieOf = async (proof: unknown) =>
    (await post(proof)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const guest = await cookieOf({ token: 'a token' });
  const person = await cookieOf({ code: made.link().split('=')[1] });
  expect(await isIn(guest)).toBe('guest undefined');
  expect(await isIn(person)).toBe('person undefined');
  expect(await isIn(`${person}x`)).toBe('undefined undefined');
  expect(await isIn(`${person.split('=')[0]}=`)).toBe('undefined undefined');
  const code = made.link().split('=')[1];
  now += 16 * 60_000;
  expect((await post({ code })).status).toBe(403);
  expect(await isIn(person)).toBe('person undefined');
  now += 31 * 86_400_000;
  expect(await isIn(person)).toBe('undefined undefined');
});

test.each(['cross-site', 'same-site'])(
  'other pages (%s) may lead here, not fetch from here',
  async (site) => {
    const app = new Hono();
    app.use(refuseForeign({ hosts: ['localhost'] }));
    app.use(
      requireProof({ keys: accessKeys('a token'), session: () => ({ who: 'person', id: 'browser1' }) }),
    );
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
