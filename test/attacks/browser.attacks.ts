import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { idle, launchBrowser, openPage } from '../browser/browser.ts';
import { openSite } from '../browser/site.ts';
import { counted } from '../reliability/counted.ts';

/* Pages of other sites in the browser of a person who is signed in, and text that wants to be a script. */

const site = await openSite();
const port = Number(new URL(site.base).port);
const foreign = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>foreign</title><body></body>');
});
await new Promise<void>((done) => void foreign.listen(0, '127.0.0.1', done));
// Written by the listener above.
const foreignPort = (foreign.address() as AddressInfo).port;
const browser = await launchBrowser('--host-resolver-rules=MAP *.test 127.0.0.1');
const { context } = await openPage(browser, site);
afterAll(async () => {
  await browser.close();
  foreign.close();
  await site.close();
});

const ROUTES = ['/api/health', '/api/agent-sessions', '/api/allowed', '/mcp', '/internal/hello', '/api/live'];

/** Runs in the foreign page: everything a page can send, and what it could read of the answers. */
const ATTACK = `async ({ base, routes }) => {
  const read = [];
  let tried = 0;
  const note = (what, value) => { tried++; if (value) read.push(what + ': ' + String(value).slice(0, 200)); };
  const soon = (make) => new Promise((done) => { setTimeout(() => done(''), 1500); make(done); });
  for (const path of routes) {
    const url = base + path;
    for (const credentials of ['include', 'omit']) {
      for (const mode of ['cors', 'no-cors']) {
        const options = { mode, credentials };
        note('get ' + mode + path, await fetch(url, options).then((r) => r.text()).catch(() => ''));
        const body = JSON.stringify({ path: '/', jsonrpc: '2.0', id: 1, method: 'tools/list' });
        note('post ' + mode + path, await fetch(url, { ...options, method: 'POST', body }).then((r) => r.text()).catch(() => ''));
      }
      note('json ' + path, await fetch(url, { method: 'POST', credentials, body: '{"path":"/"}', headers: { 'content-type': 'application/json', authorization: 'Bearer x' } }).then((r) => r.text()).catch(() => ''));
    }
    navigator.sendBeacon(url, '{"path":"/"}');
    tried++;
    note('events ' + path, await soon((done) => { const e = new EventSource(url, { withCredentials: true }); e.onmessage = (m) => done(m.data); e.onerror = () => { e.close(); done(''); }; }));
    note('socket ' + path, await soon((done) => { const w = new WebSocket(url.replace('http', 'ws')); w.onopen = () => done('open'); w.onerror = () => done(''); }));
    for (const [tag, field] of [['img', 'src'], ['script', 'src'], ['link', 'href']])
      note(tag + ' ' + path, await soon((done) => { const e = document.createElement(tag); e.rel = 'stylesheet'; e[field] = url; e.onload = () => done('loaded'); e.onerror = () => done(''); document.head.append(e); }));
    for (const sandbox of [undefined, 'allow-scripts'])
      note('frame ' + path, await soon((done) => { const f = document.createElement('iframe'); if (sandbox) f.sandbox = sandbox; f.src = url; f.onload = () => { try { done(f.contentDocument?.body?.textContent ?? ''); } catch { done(''); } }; document.body.append(f); }));
    const form = document.createElement('form');
    form.method = 'POST'; form.enctype = 'text/plain'; form.action = url; form.target = 'hidden';
    form.innerHTML = '<input name=\\'{"path":"/","x":"\\' value=\\'"}\\'>';
    const frame = document.createElement('iframe'); frame.name = 'hidden';
    document.body.append(frame, form); form.submit(); tried++;
    await new Promise((done) => setTimeout(done, 50));
    frame.remove();
  }
  return { read, tried };
}`;

test('pages of other sites read and change nothing', { timeout: 180_000 }, async ({ task }) => {
  const before = await site.api('GET', '/api/allowed');
  let tried = 0;
  // Another host, another port of ours, another port under our own name.
  for (const origin of [
    `http://evil.test:${foreignPort}`,
    `http://127.0.0.1:${foreignPort}`,
    `http://localhost:${foreignPort}`,
  ]) {
    const page = await context.newPage();
    await page.goto(origin);
    const found = await page.evaluate<{ read: string[]; tried: number }>(
      `(${ATTACK})(${JSON.stringify({ base: site.base, routes: ROUTES })})`,
    );
    expect(found.read, origin).toEqual([]);
    tried += found.tried;
    await page.close();
  }
  expect((await site.api('GET', '/api/allowed')).data).toEqual(before.data);
  counted(task, tried, tried);
});

test('a host name that leads here later is refused', async ({ task }) => {
  const page = await context.newPage();
  const answer = await page.goto(`http://rebind.test:${port}/`);
  expect(answer?.status()).toBe(403);
  for (const path of ROUTES)
    expect(await page.evaluate(`fetch('${path}').then((r) => r.status)`), path).toBe(403);
  await page.close();
  counted(task, ROUTES.length + 1, ROUTES.length + 1);
});

test('an address that a foreign page leads the browser to writes no file', async () => {
  const path = `/api/code/search?mode=regex&pattern=export&path=${encodeURIComponent(site.project)}&output=file`;
  const written = () => {
    const folder = join(site.project, '../data');
    return readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('matches-'));
  };
  expect(existsSync(join(site.project, '../data'))).toBe(true);
  const page = await context.newPage();
  await page.goto(`http://evil.test:${foreignPort}`);
  await page.evaluate(`location.href = ${JSON.stringify(site.base + path)}`);
  await page.waitForURL(site.base + path);
  expect(written()).toEqual([]);
  // And typed by the person, with the cookie.
  const answer = await page.goto(site.base + path);
  expect(answer?.status()).toBe(400);
  expect(written()).toEqual([]);
  await page.close();
});

test('text of files, names and logs never becomes part of the page', { timeout: 120_000 }, async ({
  task,
}) => {
  const { page, problems } = await openPage(browser, site);
  const src = encodeURIComponent(join(site.project, 'src/evil.ts'));
  const sessions: readonly { readonly session_id: string }[] = (
    await site.api('GET', '/api/agent-sessions?limit=50')
  ).data.sessions;
  const evil = encodeURIComponent('<img src=x onerror=globalThis.evil=1>');
  const views = [
    ...[
      '/',
      '/disk',
      `/disk/${site.index}`,
      `/disk/${site.index}?tab=largest`,
      '/sessions',
      '/activity',
      '/code',
    ],
    ...[`/code?file=${src}`, '/code?mode=regex&q=evil%20marker', `/code?mode=hybrid&q=${evil}`, `/${evil}`],
    ...[`/disk?path=${evil}`, `/sessions/${evil}`, `/sessions?q=${evil}`, `/#sign-in=${evil}`],
    ...sessions.map(({ session_id }) => `/sessions/${session_id}`),
  ];
  for (const view of views) {
    await page.goto(site.base + view);
    await idle(page);
    expect(await page.evaluate('globalThis.evil'), view).toBeUndefined();
    expect(await page.locator('img[src=x], script:not([src])').count(), view).toBe(0);
  }
  expect(problems.filter((one) => one.startsWith('leaves'))).toEqual([]);
  await page.close();
  counted(task, views.length, views.length);
});
