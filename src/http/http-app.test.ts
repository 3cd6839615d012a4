import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { personHeaders, scriptHeaders } from '../../test/sign-in.ts';
import { temporaryFolder } from '../../test/support.ts';
import { ownZone } from '../contract/zone.ts';
import { startBackground } from '../daemon/background.ts';

const home = temporaryFolder();
const root = await realpath(temporaryFolder());
for (let i = 0; i < 250; i++)
  writeFileSync(join(root, `file-${String(i).padStart(3, '0')}.txt`), 'x'.repeat(i));
const background = await startBackground({
  home,
  host: '127.0.0.1',
  port: 0,
  strictPort: true,
  idleMs: undefined,
});
if (background === undefined) throw new Error('no background process');
afterAll(() => background.stop());
await background.app.services.allowed.add(root);
const base = `http://127.0.0.1:${background.port}`;
const token = scriptHeaders(background);
const person = await personHeaders(background);
const get = (path: string, headers: Record<string, string> = token) => fetch(base + path, { headers });

/** The body of an answer. */
const json = async (response: Response | Promise<Response>) => JSON.parse(await (await response).text());

/** One raw request: fetch does not let tests set Host. */
async function raw(lines: readonly string[]): Promise<string> {
  const socket = connect(background?.port ?? 0, '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

describe('REST', () => {
  test('days are those of the zone that the caller names; a name that is no zone is ignored', async () => {
    const zoneOf = async (zone: string) =>
      (await json(get('/api/usage?by=day', { ...token, 'x-pinhole-zone': zone }))).data.zone;
    expect(await zoneOf('Asia/Tokyo')).toBe('Asia/Tokyo');
    expect(await zoneOf('Europe/Atlantis')).toBe(ownZone());
  });

  test('an operation is a route, and its errors have a fitting status', async () => {
    const ok = await get(`/api/cd?path=${encodeURIComponent(root)}&limit=3&sort=name`);
    expect(ok.status).toBe(200);
    const body = await json(ok);
    expect(body.data.entries.map((entry: { name: string }) => entry.name)).toEqual([
      'file-000.txt',
      'file-001.txt',
      'file-002.txt',
    ]);
    const next = await json(get(`/api/cd?cursor=${body.pagination.next_cursor}`));
    expect(next.data.entries[0].name).toBe('file-003.txt');
    expect((await get('/api/cd?path=/etc')).status).toBe(403);
    expect((await get(`/api/cd?path=${root}/nothing`)).status).toBe(404);
    const wrong = await get(`/api/cd?path=${root}&limit=many`);
    expect(wrong.status).toBe(400);
    expect((await json(wrong)).error.message).toBe('limit must be a number.');
    expect((await get('/api/jobs/j99')).status).toBe(404);
    expect((await get('/api/nothing')).status).toBe(404);
  });

  test('a page links to the next one, under either name of its size', async () => {
    const read = async (address: string) => json(get(address.replace(base, '')));
    const first = await read(`/api/cd?path=${encodeURIComponent(root)}&page_size=2&sort=name`);
    expect(first.pagination.total_in_page).toBe(2);
    const second = await read(first.links.next);
    expect(second.data.entries.map((entry: { name: string }) => entry.name)).toEqual([
      'file-002.txt',
      'file-003.txt',
    ]);
    const hits = await read(
      `/api/code/search?mode=regex&pattern=x&path=${root}&page_size=3&include_snippet=false`,
    );
    expect(hits.links.next).toContain('/api/code/search?mode=regex&cursor=r');
    expect((await read(hits.links.next)).data.matches.length).toBeGreaterThan(0);
    expect((await read('/api/jobs?page_size=1')).links).toBeUndefined();
  });

  test('links lead to where the caller reached the server', async () => {
    const { port } = background ?? {};
    const path = `/api/cd?path=${encodeURIComponent(root)}&limit=3`;
    const lines = [
      `GET ${path} HTTP/1.1`,
      `Host: localhost:${port}`,
      `Authorization: ${token.authorization}`,
    ];
    const [, body = ''] = (await raw(lines)).split('\r\n\r\n');
    const links: string[] = Object.values(JSON.parse(body).links);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(link).toMatch(`http://localhost:${port}/`);
  });

  test('a wrong choice among searches is refused, and so is a method that a path does not have', async () => {
    const wrong = await get(`/api/code/search?mode=foo&pattern=x&path=${root}`);
    expect(wrong.status).toBe(400);
    expect((await json(wrong)).error.message).toBe('mode must be one of regex, semantic, hybrid.');
    const put = await fetch(`${base}/api/indexes`, { method: 'PUT', headers: token });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect((await json(put)).error.code).toBe('method_not_allowed');
  });

  test('a caller without the right gets another error than a folder that may not be read', async () => {
    const code = async (path: string, headers: Record<string, string>) =>
      (await json(get(path, headers))).error.code;
    expect(await code('/api/health', {})).toBe('unauthorized');
    expect(await code('/api/health', { ...token, origin: 'https://evil.example' })).toBe('forbidden');
    expect(await code('/api/indexes/i1/nodes/n1/content', token)).toBe('forbidden');
    expect(await code('/api/cd?path=/etc', token)).toBe('path_not_allowed');
  });

  test('a secret in a question leaves no brackets in the link', async () => {
    const secret = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`;
    const { link } = await json(get(`/api/code/search?mode=regex&pattern=${secret}&path=${root}`));
    expect(link).toContain('q=%5Bredacted');
    expect(link).not.toContain('[');
  });

  test('the rate limit holds for new connections, and answers say what is left', async () => {
    const ask = (n: number) =>
      get('/api/agent-sessions/none/full?cursor=start', {
        ...token,
        connection: 'close',
        'user-agent': `agent ${n}`,
      });
    const first = await ask(0);
    expect(first.headers.get('ratelimit-limit')).toBe('10');
    expect(first.headers.get('ratelimit-remaining')).toBe('9');
    expect(first.headers.get('ratelimit-reset')).toBe('6');
    const statuses: number[] = [];
    let last = first;
    for (let n = 1; n < 13; n++) {
      last = await ask(n);
      statuses.push(last.status);
    }
    expect(statuses.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 404));
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    // A browser that signed in is another caller.
    expect((await get('/api/agent-sessions/none/full?cursor=start', person)).status).toBe(404);
  });

  test('path names, health, and text', async () => {
    const { shell } = (await json(get(`/api/cd?path=${root}`))).data;
    expect((await json(get(`/api/shells/${shell}`))).data).toMatchObject({ shell, cwd: root });
    expect((await json(get('/api/health'))).data.status).toBe('ok');
    const text = await get('/api/health?format=text');
    expect(text.headers.get('content-type')).toContain('text/plain');
    expect(await text.text()).toMatch(/^Pinhole \d/);
  });

  test('csv and ndjson stream all rows', async () => {
    const lines = (await (await get(`/api/cd?path=${root}&sort=name&format=ndjson`)).text())
      .trim()
      .split('\n');
    expect(lines).toHaveLength(250);
    expect(JSON.parse(lines[249] ?? '').name).toBe('file-249.txt');
    const csv = (await (await get(`/api/cd?path=${root}&sort=name&format=csv`)).text()).trim().split('\n');
    expect(csv[0]).toBe('node_id,name,kind,size,disk_size,counts,entries,target,broken,modified_at,link,was');
    expect(csv).toHaveLength(251);
  });

  test.each([
    ['/api/jobs?format=xml', 'format must be one of json, text, csv, ndjson.'],
    ['/api/jobs?format=', 'format must be one of json, text, csv, ndjson.'],
    [
      '/api/jobs?format=csv&format=json',
      'format must be one of json, text, csv, ndjson, and given only once.',
    ],
    [
      '/api/jobs?format=explain',
      'format must be one of json, text, csv, ndjson: job_list has no plan to show.',
    ],
    ['/api/health?format=xml', 'format must be one of json, text.'],
    ['/api/health?format=csv', 'format must be one of json, text: health does not answer with a list.'],
    [
      `/api/code/search?mode=regex&pattern=x&path=${root}&output=count&format=csv`,
      'This answer is not a list. Ask for it with format=json or format=text.',
    ],
    ['/api/code/search?format=xml', 'format must be one of json, text, csv, ndjson, explain.'],
    [`/api/code/matches?pattern=x&path=${root}&format=xml`, 'format must be lines or json.'],
  ])('%s is no format', async (path, message) => {
    const response = await get(path);
    const { error } = await json(response);
    expect([response.status, error.code, error.message]).toEqual([400, 'invalid_parameter', message]);
  });

  test('what cannot be explained is not done', async () => {
    const response = await fetch(`${base}/api/shells/w1?format=explain`, {
      method: 'PATCH',
      headers: token,
      body: '{"units":"si"}',
    });
    expect((await json(response)).error.message).toContain('format must be one of json, text: ');
  });

  test.each([
    ['an answer', '/api/health', 200],
    ['text', '/api/health?format=text', 200],
    ['CSV', `/api/cd?path=${root}&format=csv`, 200],
    ['lines of JSON', `/api/cd?path=${root}&format=ndjson`, 200],
    ['an error in a stream', '/api/cd?path=/etc&format=csv', 403],
    ['all matches', `/api/code/matches?pattern=x&path=${root}`, 200],
    ['an error', '/api/code/matches?pattern=(', 400],
    ['a route that is not there', '/api/nothing', 404],
    ['the description', '/api/openapi.json', 200],
  ])('%s is neither stored nor sniffed nor embedded elsewhere', async (_what, path, status) => {
    const response = await get(path);
    await response.body?.cancel();
    expect([
      response.status,
      response.headers.get('cache-control'),
      response.headers.get('x-content-type-options'),
      response.headers.get('referrer-policy'),
      response.headers.get('x-frame-options'),
      response.headers.get('cross-origin-resource-policy'),
    ]).toEqual([status, 'no-store', 'nosniff', 'no-referrer', 'DENY', 'same-origin']);
  });

  test('refusals of the guard and events are not stored either', async () => {
    const refused = await get('/api/health', { origin: 'https://evil.example' });
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([403, 'no-store']);
    const controller = new AbortController();
    const events = await fetch(`${base}/api/live`, { headers: token, signal: controller.signal });
    expect([events.status, events.headers.get('cache-control')]).toEqual([200, 'no-store']);
    controller.abort();
  });

  test('OpenAPI names every route once', async () => {
    const { openapi, paths } = await json(get('/api/openapi.json'));
    expect(openapi).toBe('3.1.0');
    expect(paths['/api/jobs/{job_id}'].get.operationId).toBe('job_progress');
    expect(paths['/api/jobs/{job_id}'].delete.operationId).toBe('job_cancel');
    const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(paths).filter((path) => path.includes('?'))).toEqual([]);
    const { operationId, parameters } = paths['/api/code/search'].get;
    expect(operationId).toBe('code_search');
    expect(parameters[0]).toMatchObject({
      name: 'mode',
      schema: { enum: ['regex', 'semantic', 'hybrid'] },
    });
    const names = parameters.map(({ name }: { name: string }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['pattern', 'query']));
    expect(paths['/api/agent-sessions/{session_id}/full'].get['x-max-requests-per-minute']).toBe(10);
  });
});

describe('the guard', () => {
  test('other host names and other pages are refused', async () => {
    expect(await raw(['GET /api/health HTTP/1.1', 'Host: evil.example'])).toMatch(/^HTTP\/1.1 403/);
    expect(
      await raw([
        'GET /api/health HTTP/1.1',
        `Host: 127.0.0.1:${background.port}`,
        'Origin: https://evil.example',
      ]),
    ).toMatch(/^HTTP\/1.1 403/);
    expect(await raw(['POST /mcp HTTP/1.1', 'Host: evil.example', 'Content-Length: 0'])).toMatch(
      /^HTTP\/1.1 403/,
    );
    expect(
      await raw([
        'GET /api/health HTTP/1.1',
        `Host: localhost:${background.port}`,
        `Authorization: ${token.authorization}`,
      ]),
    ).toMatch(/^HTTP\/1.1 200/);
    expect((await get('/api/health', { ...token, origin: base })).status).toBe(200);
    expect((await get('/api/health', { ...token, origin: 'null' })).status).toBe(403);
    expect((await get('/api/health', { ...token, origin: 'https://evil.example' })).status).toBe(403);
    expect((await get('/api/health', { ...person, origin: 'https://evil.example' })).status).toBe(403);
  });

  test('changes need the token or a person at our own page', async () => {
    const post = (headers: Record<string, string>) =>
      fetch(`${base}/api/shells/w1`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"units":"si"}',
      });
    await get(`/api/cd?path=${root}`);
    expect((await post({})).status).toBe(401);
    expect((await post({ authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await post(token)).status).toBe(200);
    expect((await post({ origin: base })).status).toBe(401);
    expect((await post({ cookie: person.cookie })).status).toBe(401);
    expect((await post({ ...person, 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await post(person)).status).toBe(200);
  });

  test.each([
    ['/api/allowed', 'path', '/etc', 'POST'],
    ['/api/shells/w1', 'units', 'bytes', 'PATCH'],
    ['/api/jobs/j1', 'cancel', 'true', 'DELETE'],
  ])('a link to %s changes nothing', async (path, name, value, method) => {
    await get(`/api/cd?path=${root}`);
    const before = await json(get(path));
    // An address that a person opens, be it from a mail, comes with the cookie.
    for (const headers of [token, { ...person, 'sec-fetch-site': 'none' }, person]) {
      const response = await get(`${path}?${name}=${value}`, headers);
      expect([response.status, (await json(response)).error]).toEqual([
        400,
        {
          code: 'invalid_parameter',
          message: `A GET request cannot change anything. Send '${name}' with ${method} ${path.replace(/[wj]1$/, (id) => (id === 'w1' ? '{shell}' : '{job_id}'))}.`,
          retryable: false,
        },
      ]);
    }
    expect((await json(get(path))).data).toEqual(before.data);
  });

  test('only a person can allow a folder', async () => {
    const post = (headers: Record<string, string>) =>
      fetch(`${base}/api/allowed`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ path: root }),
      });
    expect((await post(token)).status).toBe(403);
    expect((await post({ ...token, origin: base, 'sec-fetch-site': 'same-origin' })).status).toBe(403);
    expect((await post(person)).status).toBe(200);
  });
});

describe('bad requests', () => {
  test('5 MB, no JSON, wrong JSON', async () => {
    const send = (body: string) =>
      fetch(`${base}/api/shells/w1`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', ...token },
        body,
      });
    const large = await send(`{"units":"${'x'.repeat(5_000_000)}"}`);
    expect(large.status).toBe(413);
    expect((await json(large)).error.message).toBe('A body must be at most 1,100,000 bytes. Send less.');
    expect((await json(send('nonsense'))).error.message).toBe('The body must be a JSON object.');
    expect((await send('[1]')).status).toBe(400);
    expect((await get('/api/health')).status).toBe(200);
  });

  test('a client that goes away in the middle harms nobody', async () => {
    for (let i = 0; i < 20; i++) {
      const controller = new AbortController();
      const request = fetch(`${base}/api/cd?path=${root}`, { headers: token, signal: controller.signal });
      setImmediate(() => controller.abort());
      await request.then((r) => r.text()).catch(() => {});
    }
    expect((await get('/api/health')).status).toBe(200);
  });
});

test('job events end with the job', async () => {
  background.app.services.jobs.register({
    name: 'short',
    afterRestart: 'fail',
    run: async ({ progress }) => {
      progress({ done: 1, total: 2, unit: 'steps' });
      return { steps: 2 };
    },
  });
  const job = await background.app.services.jobs.start('short', 'x', {});
  const text = await (await get(`/api/jobs/${job.id}/events`)).text();
  const events = text
    .split('\n\n')
    .filter((part) => part.startsWith('event: job'))
    .map((part) => JSON.parse(part.split('data: ')[1] ?? ''));
  expect(events.at(-1)).toMatchObject({
    job_id: job.id,
    status: 'done',
    report: { steps: 2 },
    progress_pct: 100,
  });
  expect((await get('/api/jobs/j999/events')).status).toBe(404);
});
