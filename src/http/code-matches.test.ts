import { execFile } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeFiles } from '../../test/fixtures/code/made-tree.ts';
import { ask, temporaryApp, temporaryFolder } from '../../test/support.ts';
import { accessKeys } from '../app/access-keys.ts';
import type { OpenApp } from '../app/open-app.ts';
import { createHttpApp } from './http-app.ts';

/* Every match, for a refactoring: 12,000 of them, at each door. */

const FILES = 300;
const HITS = 40;
const root = realpathSync(temporaryFolder());
const name = (file: number) => `d${String(file % 10)}/f${String(file).padStart(3, '0')}.c`;
const expected = Array.from({ length: FILES }, (_none, file) => file)
  .map(name)
  .sort()
  .flatMap((path) =>
    Array.from({ length: HITS }, (_none, hit) => `${path}:${hit * 2 + 2}:  old_name(${hit});`),
  );

let app: OpenApp;
beforeAll(async () => {
  app = await temporaryApp();
  const body = Array.from({ length: HITS }, (_none, hit) => `\n  old_name(${hit});\n`).join('');
  writeFiles(root, Object.fromEntries(Array.from({ length: FILES }, (_none, file) => [name(file), body])));
});

it('regex_search writes them into a file, within any budget', async () => {
  const { body, answer } = await ask(
    app,
    'regex_search',
    { pattern: 'old_name', output: 'file' },
    { roots: [root], cwd: root, budget: 2_000 },
  );
  const { path, bytes, hits, files } = body.data.file;
  expect({ hits, files, root: body.data.root }).toEqual({ hits: FILES * HITS, files: FILES, root });
  const text = readFileSync(path, 'utf8');
  expect(text.split('\n').slice(0, -1)).toEqual(expected);
  expect(Buffer.byteLength(text)).toBe(bytes);
  expect(answer.rendered.bytes).toBeLessThan(500);
});

it.each(['rest', 'page'] as const)('over %s, where a link would do, no file is written', async (door) => {
  const who = { door, roots: [root], cwd: root };
  const { body } = await ask(app, 'regex_search', { pattern: 'old_name', output: 'file' }, who);
  expect(body.error.message).toBe(
    'output=file does not work over HTTP. GET /api/code/matches sends all matches.',
  );
});

it('REST sends them as a file, and refuses what is not allowed', async () => {
  const routes = createHttpApp({
    engine: app.engine,
    services: app.services,
    guard: { hosts: ['127.0.0.1'], keys: accessKeys('a-token') },
    url: (path) => path,
    log: () => {},
  });
  const get = (query: string) =>
    routes.request(`http://127.0.0.1/api/code/matches?${query}`, {
      headers: { host: '127.0.0.1', authorization: 'Bearer a-token' },
    });
  const outside = await get(`pattern=old_name&path=${encodeURIComponent(root)}`);
  expect(outside.status).toBe(403);
  expect(await outside.text()).toContain('path_not_allowed');
  await app.services.allowed.add(root);
  const reply = await get(`pattern=old_name&path=${encodeURIComponent(root)}`);
  expect(reply.headers.get('content-disposition')).toContain('matches.txt');
  expect((await reply.text()).split('\n').slice(0, -1)).toEqual(expected);
  const wrong = await get(`pattern=(&path=${encodeURIComponent(root)}`);
  expect(wrong.status).toBe(400);
});

it('REST counts and notes them like any call', async () => {
  const app = await temporaryApp({ now: () => 1_000 });
  const routes = createHttpApp({
    engine: app.engine,
    services: app.services,
    guard: { hosts: ['127.0.0.1'], keys: accessKeys('a-token') },
    url: (path) => path,
    log: () => {},
  });
  await app.services.allowed.add(root);
  const get = async (pattern: string, route = 'matches?') => {
    const address = `http://127.0.0.1/api/code/${route}pattern=${pattern}&path=${encodeURIComponent(root)}`;
    const headers = { host: '127.0.0.1', authorization: 'Bearer a-token', 'user-agent': 'someone' };
    const reply = await routes.request(address, { headers });
    return { status: reply.status, text: await reply.text() };
  };
  const all = await get('old_name');
  expect((await get('(')).status).toBe(400);
  await app.services.audit.flush();
  const rows = await app.services.audit.newest(undefined, 10);
  expect(rows).toMatchObject([
    {
      operation: 'regex_search',
      door: 'rest',
      client: 'someone',
      outcome: 'invalid_parameter',
      bytes_out: 0,
    },
    { operation: 'regex_search', door: 'rest', client: 'someone', outcome: 'ok', bytes_out: all.text.length },
  ]);
  // The clock stands still, so nothing refills.
  for (let call = 2; call < 600; call++) await get('(');
  const refused = await get('old_name');
  expect(refused.status).toBe(429);
  expect(refused.text).toContain('rate_limited');
  // Pages are counted apart: many callers with one token search more often than they take everything.
  expect((await get('old_name', 'search?mode=regex&')).status).toBe(200);
});

it('pinhole grep writes them to wherever it is sent', async () => {
  const env = { ...process.env, PINHOLE_HOME: temporaryFolder(), PINHOLE_PORT: '0' };
  const run = (...args: string[]) =>
    new Promise<string>((done, fail) => {
      execFile(
        process.execPath,
        [resolve('dist/main.js'), ...args],
        { cwd: root, env, maxBuffer: 1e8 },
        (error, out) => (error ? fail(error) : done(out)),
      );
    });
  afterAll(() => run('stop'));
  expect((await run('grep', '-n', 'old_name')).split('\n').slice(0, -1)).toEqual(expected);
  const json = (await run('grep', '--json', 'old_name')).trim().split('\n');
  expect(json.filter((line) => line.startsWith('{"type":"match"'))).toHaveLength(expected.length);
  expect(readFileSync(join(root, name(0)), 'utf8')).toContain('old_name');
});
