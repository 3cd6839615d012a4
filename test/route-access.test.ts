import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { accessKeys, teamToken } from '../src/app/access-keys.ts';
import { OPERATIONS } from '../src/app/operations.ts';
import { readBackgroundRecord } from '../src/connect/background-record.ts';
import { accessOf, type Operation } from '../src/contract/operation.ts';
import { startBackground } from '../src/daemon/background.ts';
import { type Access, accessTable } from '../src/http/access.ts';
import { createHttpApp } from '../src/http/http-app.ts';
import { personHeaders, scriptHeaders } from './sign-in.ts';
import { stranger } from './stranger.ts';
import { ask, temporaryFolder } from './support.ts';

/* Every row of the table of routes, asked by every kind of caller. */

const home = temporaryFolder();
// The trash of the person whose Pinhole this is.
process.env.HOME = temporaryFolder();
const background = await startBackground({
  home,
  host: '127.0.0.1',
  port: 0,
  strictPort: true,
  idleMs: undefined,
});
if (background === undefined) throw new Error('no background process');
afterAll(() => background.stop());
const { port, app } = background;
const origin = `http://127.0.0.1:${port}`;
const table = accessTable(OPERATIONS);

const cookieFor = async (token: string) => {
  const response = await fetch(`${origin}/api/sign-in`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', origin };
};

const TEAM = teamToken(background.token);
const callers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nobody: {},
  'a page with made-up headers': { origin, 'sec-fetch-site': 'same-origin', cookie: 'pinhole=1' },
  'a wrong token': { authorization: 'Bearer made-up' },
  'the token for a team': { authorization: `Bearer ${TEAM}` },
  'a page signed in with the token for a team': await cookieFor(TEAM),
  'the token': scriptHeaders(background),
  'a page signed in with the token': await cookieFor(background.token),
  'a page signed in with a link': await personHeaders(background),
};

/** What each of them opens; the same for all rows. */
const OPENS: Readonly<Record<string, readonly Access[]>> = {
  nobody: ['anyone'],
  'a page with made-up headers': ['anyone'],
  'a wrong token': ['anyone'],
  'the token for a team': ['anyone', 'reader'],
  'a page signed in with the token for a team': ['anyone', 'reader'],
  'the token': ['anyone', 'reader', 'collector', 'script'],
  'a page signed in with the token': ['anyone', 'reader', 'collector', 'script'],
  'a page signed in with a link': ['anyone', 'reader', 'collector', 'script', 'person'],
};

/** Routes that a team server has if its settings name a provider; see test/team/sign-in.test.ts. */
const OF_A_PROVIDER = /^\/(?:api\/sign-in\/|\.well-known\/)/;

const other = stranger();

const placeOf = (path: string) => path.replace(/\{\w+\}/g, 'x1');

interface Where {
  readonly port?: number;
  readonly socketPath?: string;
}

/** The status, and the code and message of an error; a stream is not read. */
async function send(where: Where, method: string, path: string, headers: Readonly<Record<string, string>>) {
  const body = method === 'GET' || method === 'DELETE' ? undefined : '{"made":"up"}';
  const req = request({
    ...where,
    host: '127.0.0.1',
    method,
    path,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    agent: false,
  });
  req.end(body);
  const [res] = await once(req, 'response');
  let text = '';
  if (/json/.test(res.headers['content-type'] ?? '') && method !== 'HEAD')
    for await (const chunk of res) text += chunk;
  res.destroy();
  const status: number = res.statusCode;
  if (status === 401) return 'refused';
  if (status === 404 && text.includes('There is nothing here')) return 'nothing there';
  if (status === 403 && /Only a person|team token/.test(text)) return 'not for them';
  return 'reached';
}

describe.each(Object.keys(callers))('%s', (name) => {
  test('reaches on the network what the table says, and nothing else', async () => {
    const proven = OPENS[name]?.includes('reader');
    const wrong: string[] = [];
    for (const { method, path, access } of table) {
      // Over a cookie no agent is called.
      const isCookieOnMcp = path === '/mcp' && callers[name]?.cookie !== undefined;
      const signsOut = path === '/api/sign-in';
      const expected = signsOut
        ? undefined
        : access === 'program' || OF_A_PROVIDER.test(path)
          ? proven
            ? 'nothing there'
            : 'refused'
          : OPENS[name]?.includes(access) && !isCookieOnMcp
            ? 'reached'
            : proven && !isCookieOnMcp
              ? 'not for them'
              : 'refused';
      if (expected === undefined) continue;
      const got = await send({ port }, method, placeOf(path), callers[name] ?? {});
      if (got !== expected) wrong.push(`${method} ${path} (${access}): ${got}, not ${expected}`);
    }
    expect(wrong).toEqual([]);
  });
});

test('another account of this machine is nobody', async () => {
  const rows = table.filter(({ access }) => access !== 'anyone');
  const replies = await other.ask(
    port,
    rows.map(({ method, path }) => ({ method, path: placeOf(path) })),
  );
  expect(replies.flatMap(({ status }, i) => (status === 401 ? [] : [rows[i]?.path]))).toEqual([]);
});

test('a terminal reaches the routes of our own programs, on the socket, and no others', async () => {
  const { socket = '' } = readBackgroundRecord(home) ?? {};
  const wrong: string[] = [];
  for (const { method, path, access } of table) {
    if (path === '/internal/stop' || path === '/internal/rotate-token') continue;
    const got = await send({ socketPath: socket }, method, placeOf(path), {});
    if (got !== (access === 'program' ? 'reached' : 'nothing there')) wrong.push(`${method} ${path}: ${got}`);
  }
  expect(wrong).toEqual([]);
});

/** A text for each input that must be there. */
const someInput = (operation: Operation<never>) =>
  Object.fromEntries(Object.keys(operation.input.shape).map((name) => [name, 'x1']));

test.each([
  ['an agent', { door: 'mcp', roots: [home] }, ['reader', 'script']],
  ['an agent with the token for a team', { door: 'mcp', reader: true }, ['reader']],
  ['a script with the token for a team', { door: 'rest', reader: true }, ['reader']],
  ['a person at a terminal', { door: 'cli' }, ['reader', 'script', 'person']],
] as const)(
  '%s may call the operations that are for them, whatever door leads there',
  async (_name, who, opens) => {
    const wrong: string[] = [];
    for (const operation of OPERATIONS as readonly Operation<never>[]) {
      const { answer } = await ask(app, operation.name, someInput(operation), { ...who, id: operation.name });
      const message = answer.ok ? '' : answer.error.message;
      const refused = /^Only a person can do this|^A team token/.test(message);
      const mayCall = (opens as readonly string[]).includes(accessOf(operation));
      const takesInput = Object.keys(operation.input.shape).length > 0;
      if (refused !== (!mayCall && takesInput)) wrong.push(`${operation.name}: ${message}`);
    }
    expect(wrong).toEqual([]);
  },
);

test('these are open to anyone, and these need a person', () => {
  const routes = (wanted: Access) =>
    table.flatMap(({ method, path, access }) => (access === wanted ? [`${method} ${path}`] : []));
  expect(routes('anyone')).toEqual([
    'GET /healthz',
    'GET /readyz',
    'POST /api/sign-in',
    'DELETE /api/sign-in',
    'GET /api/sign-in',
    'GET /api/sign-in/provider',
    'GET /api/sign-in/callback',
    'GET /.well-known/oauth-protected-resource',
    'GET /.well-known/oauth-protected-resource/mcp',
  ]);
  expect(routes('person').toSorted()).toEqual([
    'GET /api/indexes/{index_id}/nodes/{node_id}/content',
    'POST /api/agent-archive',
    'POST /api/agent-sessions/{session_id}/forget',
    'POST /api/agent-sessions/{session_id}/mark',
    'POST /api/allowed',
    'POST /api/plans/{plan_id}/run',
    'POST /api/plans/{plan_id}/undo',
    'POST /api/prices',
  ]);
  expect(routes('program').every((route) => route.includes(' /internal/'))).toBe(true);
  // The token for a team changes nothing: POST is for long questions.
  const posts = routes('reader').filter((route) => !route.startsWith('GET '));
  expect(posts).toEqual([
    'POST /api/highlight',
    'POST /mcp',
    'DELETE /mcp',
    'POST /api/sql',
    'POST /api/how-fixed',
  ]);
});

test('no route is outside the table', () => {
  const routes = createHttpApp({
    engine: app.engine,
    services: app.services,
    guard: { hosts: undefined, keys: accessKeys('a token') },
    url: (path) => path,
    log: () => {},
  }).routes.filter(({ path }) => /^\/(?:api|mcp|internal|healthz|readyz|metrics)\b/.test(path));
  expect(routes.length).toBeGreaterThan(60);
  const known = new Set(table.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`));
  const missing = routes.filter(
    ({ method, path }) => method !== 'ALL' && !known.has(`${method === 'HEAD' ? 'GET' : method} ${path}`),
  );
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  expect(new Set(table.map(({ method, path }) => `${method} ${path}`)).size).toBeGreaterThan(70);
});
