import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../src/app/operations.ts';
import { startBackground } from '../src/daemon/background.ts';
import { routesOf } from '../src/http/routes.ts';
import { stranger, type Try } from './stranger.ts';
import { ask, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const docs = temporaryFolder();
const SECRET = 'what only its owner reads';
writeFileSync(join(docs, 'thesis.txt'), SECRET);
// The trash of the person whose Pinhole this is.
process.env.HOME = temporaryFolder();
process.env.XDG_DATA_HOME = join(process.env.HOME, 'share');
const background = await startBackground({
  home,
  host: '127.0.0.1',
  port: 0,
  strictPort: true,
  idleMs: undefined,
});
if (background === undefined) throw new Error('no background process');
afterAll(() => background.stop());
const { app, port } = background;
const base = `http://127.0.0.1:${port}`;
const other = stranger();

/** Headers that anybody can make up. */
const MADE_UP: readonly Readonly<Record<string, string>>[] = [
  {},
  { origin: base },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
  { origin: base, 'sec-fetch-site': 'same-origin', 'x-pinhole-client': 'page' },
  { host: `localhost:${port}`, origin: `http://localhost:${port}` },
  { authorization: 'Bearer made-up' },
  { authorization: 'Bearer ' },
  { cookie: 'pinhole=1; pinhole_00000000=9999999999999.x.y', origin: base },
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
];

const MCP = {
  accept: 'application/json, text/event-stream',
};
const call = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** Every door: REST, MCP, streams, downloads, exports, and what our own programs use. */
const ROUTES: readonly Try[] = [
  ...routesOf(OPERATIONS).map(({ method, path, when }) => ({
    method,
    path:
      path.replace(/\{\w+\}/g, 'i1') + (Object.keys(when).length > 0 ? `?${new URLSearchParams(when)}` : ''),
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
  })),
  { method: 'GET', path: '/api/openapi.json' },
  { method: 'GET', path: '/api/live' },
  { method: 'GET', path: '/api/jobs/j1/events' },
  { method: 'GET', path: '/api/code/matches?pattern=x' },
  { method: 'GET', path: '/api/indexes/i1/nodes/n1/content' },
  { method: 'HEAD', path: '/api/indexes/i1/nodes/n1/content' },
  { method: 'GET', path: '/api/indexes/i1/export' },
  { method: 'POST', path: '/api/highlight', body: { language: 'js', code: '1' } },
  { method: 'GET', path: '/api/agent-sessions?format=csv' },
  { method: 'GET', path: '/api/nothing' },
  { method: 'OPTIONS', path: '/api/health' },
  { method: 'GET', path: '/mcp', headers: MCP },
  { method: 'DELETE', path: '/mcp', headers: MCP },
  { method: 'POST', path: '/mcp', headers: MCP, body: call('list_sessions', {}) },
  { method: 'GET', path: '/internal/hello' },
  { method: 'POST', path: '/internal/run', body: { operation: 'health', input: {} } },
  { method: 'POST', path: '/internal/grep', body: {} },
  { method: 'POST', path: '/internal/page-link' },
  { method: 'POST', path: '/internal/stop' },
  { method: 'GET', path: '/internal/nothing' },
];

describe(`somebody without proof (${other.isOther ? 'another account' : 'this account'})`, () => {
  test('is refused on every route of every door, whatever headers they make up', async () => {
    expect(ROUTES.length).toBeGreaterThanOrEqual(40);
    const tries = ROUTES.flatMap((route) =>
      MADE_UP.map((headers) => ({ ...route, headers: { ...route.headers, ...headers } })),
    );
    const replies = await other.ask(port, tries);
    const got = tries.flatMap(({ method, path, headers }, i) => {
      const { status, body } = replies[i] ?? {};
      const refused = status === 401 && (method === 'HEAD' || body?.includes('"code":"unauthorized"'));
      return refused ? [] : [`${status} ${method} ${path} ${JSON.stringify(headers)}`];
    });
    expect(got).toEqual([]);
  });

  test('gets the bare page and a sign of life, which hold no data', async () => {
    const [page, view, life, asset] = await other.ask(port, [
      { method: 'GET', path: '/' },
      { method: 'GET', path: '/sessions/a1b2c3d4' },
      { method: 'GET', path: '/healthz' },
      { method: 'GET', path: '/index.html' },
    ]);
    expect([page?.status, view?.status, asset?.status]).toEqual([200, 200, 200]);
    const bare = (html = '') => html.replace(/<link rel="(?:module)?preload"[^>]*>/g, '');
    expect(bare(view?.body)).toBe(bare(page?.body));
    expect(life).toEqual({ status: 200, body: 'ok\n' });
  });

  test('gets an error that says what to do', async () => {
    const [reply] = await other.ask(port, [{ method: 'GET', path: '/api/health' }]);
    expect(JSON.parse(reply?.body ?? '')).toEqual({
      error: {
        code: 'unauthorized',
        message:
          'Sign in first. A person runs: pinhole open. A script sends the header: Authorization: Bearer $(pinhole token)',
        retryable: false,
      },
    });
  });

  test('cannot allow a folder, read a file in it, or move it to the trash', async () => {
    const file = join(docs, 'thesis.txt');
    const headers = { origin: base };
    const replies = await other.ask(port, [
      { method: 'POST', path: '/api/allowed', headers, body: { path: '/' } },
      { method: 'GET', path: `/api/files/view?path=${encodeURIComponent(file)}&lines=3`, headers },
      {
        method: 'GET',
        path: '/api/files/view?path=/etc/shadow&lines=3',
        headers: { 'sec-fetch-site': 'none' },
      },
    ]);
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(JSON.stringify(replies)).not.toContain(SECRET);
    expect(await app.services.allowed.list()).toEqual([]);

    // The same with everything prepared by the background: only the last step is left.
    const cli = { door: 'cli', roots: ['/'] } as const;
    const { body: index } = await ask(app, 'index', { root: docs }, cli);
    await finished(index.data.job_id);
    const { body: found } = await ask(
      app,
      'query_run',
      { filter: { name: 'thesis.txt' }, index_id: 'i1', save_as: 'mine' },
      cli,
    );
    const set = found.data.selection_id;
    const { body: plan } = await ask(app, 'disk_plan_create', { selection_id: set }, cli);
    const [run] = await other.ask(port, [
      { method: 'POST', path: `/api/plans/${plan.data.plan_id}/run`, headers, body: { confirm: 1 } },
    ]);
    expect(run?.status).toBe(401);
    expect(existsSync(file)).toBe(true);

    // Nor delete the selection over MCP.
    const [deleted] = await other.ask(port, [
      {
        method: 'POST',
        path: '/mcp',
        headers: MCP,
        body: call('resource_set_delete', { selection_id: set }),
      },
    ]);
    expect(deleted?.status).toBe(401);
    expect((await ask(app, 'resource_set_get', { selection_id: set }, cli)).answer.ok).toBe(true);
  });
});

async function finished(job: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = (status: string | undefined) => {
      if (status === 'done' || status === 'failed') resolve();
    };
    app.services.jobs.watch(job, ({ status }) => look(status));
    void app.services.jobs.get(job).then((found) => look(found?.status));
  });
}
