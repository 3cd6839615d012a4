import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startBackground } from '../src/daemon/background.ts';
import { importNcdu } from '../src/disk/ncdu/ncdu-import.ts';
import { emptyFolder } from './disk/made-tree.ts';
import { personHeaders, scriptHeaders } from './sign-in.ts';

const root = emptyFolder();
mkdirSync(join(root, 'docs'));
writeFileSync(join(root, 'digits.txt'), '0123456789');
writeFileSync(join(root, 'page "x" ü.html'), '<script>alert(1)</script>');
writeFileSync(join(root, 'empty'), '');
const SECRET = ['gh', 'p_', 'a1B2c3D4e5'.repeat(3), 'a1B2c3'].join('');
writeFileSync(join(root, SECRET), '');
for (let i = 0; i < 120; i++) writeFileSync(join(root, 'docs', `${i}.md`), 'x'.repeat(i));
const background = await startBackground({
  home: emptyFolder(),
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
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(base + path, { headers: { ...person, ...headers } });
const json = async (path: string) => JSON.parse(await (await get(path)).text());
const post = async (path: string, body: object) =>
  JSON.parse(
    await (await fetch(base + path, { method: 'POST', headers: token, body: JSON.stringify(body) })).text(),
  );

const started = await post('/api/indexes', { root });
await (await get(`/api/jobs/${started.data.job_id}/events`)).text();
const { entries } = (await json('/api/indexes/i1/tree?limit=100')).data;
const content = (name: string) =>
  `/api/indexes/i1/nodes/${entries.find((entry: { name: string }) => entry.name === name).node_id}/content`;

describe('a table without rows', () => {
  const none = 'filter={"name":"nothing"}';
  test.each([
    [`find?${none}`, 'node_id,path,kind,size,disk_size,modified_at'],
    [`tree?${none}`, 'node_id,name,kind,size,disk_size,counts,modified_at,link'],
    [`reports/largest?${none}`, 'node_id,path,kind,size,disk_size,modified_at,link'],
    [`reports/extensions?${none}`, 'label,files,size,disk_size'],
    [`reports/ages?${none}`, 'label,files,size,disk_size'],
    [`reports/duplicates?${none}`, 'digest,size,count,wasted,path,node_id'],
    ['reports/growth?limit=1', 'node_id,path,grown,disk_size,files,new,gone'],
    ['compare/i1?limit=1', 'path,one,other,difference'],
  ])('%s has a header', async (path, header) => {
    const response = await get(`/api/indexes/i1/${path}&format=csv`, token);
    expect([response.status, await response.text()]).toEqual([200, `${header}\n`]);
  });

  test('rows have no more than the header says', async () => {
    for (const path of ['find', 'tree', 'reports/largest', 'reports/ages']) {
      const url = `/api/indexes/i1/${path}?format=`;
      const [header = ''] = (await (await get(`${url}csv`)).text()).split('\n');
      const [line = '{}'] = (await (await get(`${url}ndjson`)).text()).split('\n');
      expect(header.split(',')).toEqual(expect.arrayContaining(Object.keys(JSON.parse(line))));
    }
  });
});

describe('downloads', () => {
  test('are for a person: a file is not redacted', async () => {
    const refused = await fetch(base + content('digits.txt'), { headers: token });
    expect([refused.status, JSON.parse(await refused.text()).error]).toEqual([
      403,
      {
        code: 'forbidden',
        message:
          'Only a person can do this, on the page (pinhole open) or at a terminal. Scripts read files with /api/files/view, which redacts secrets.',
        retryable: false,
      },
    ]);
  });

  test('are attachments that no browser shows or runs', async () => {
    const response = await get(content('page "x" ü.html'));
    expect(await response.text()).toBe('<script>alert(1)</script>');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-disposition': "attachment; filename*=UTF-8''page%20%22x%22%20%C3%BC.html",
      'content-security-policy': "sandbox; default-src 'none'",
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    });
  });

  test('come in ranges', async () => {
    const part = await get(content('digits.txt'), { range: 'bytes=2-4' });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
    ]);
    const end = await get(content('digits.txt'), { range: 'bytes=-3' });
    expect(await end.text()).toBe('789');
    const beyond = await get(content('digits.txt'), { range: 'bytes=10-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    const whole = await get(content('digits.txt'));
    expect(await whole.text()).toBe('0123456789');
    const same = await get(content('digits.txt'), { 'if-none-match': whole.headers.get('etag') ?? '' });
    expect(same.status).toBe(304);
    const head = await fetch(base + content('digits.txt'), { method: 'HEAD', headers: person });
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['10', '']);
    expect(await (await get(content('empty'))).text()).toBe('');
  });

  test('a HEAD tells of the whole file, whatever range it names', async () => {
    const head = await fetch(base + content('digits.txt'), {
      method: 'HEAD',
      headers: { ...person, range: 'bytes=2-4' },
    });
    expect([head.status, head.headers.get('content-length'), head.headers.get('content-range')]).toEqual([
      200,
      '10',
      null,
    ]);
  });

  test('a part is sent only of the version that the client has', async () => {
    const whole = await get(content('digits.txt'));
    const etag = whole.headers.get('etag') ?? '';
    const part = async (ifRange: string, range = 'bytes=2-4') => {
      const response = await get(content('digits.txt'), { range, 'if-range': ifRange });
      return [response.status, await response.text(), response.headers.get('content-range')];
    };
    expect(await part(etag)).toEqual([206, '234', 'bytes 2-4/10']);
    const all = [200, '0123456789', null];
    expect(await part('"other"')).toEqual(all);
    expect(await part('"other"', 'bytes=10-')).toEqual(all);
    expect(await part(`W/${etag}`)).toEqual(all);
    expect(await part('Thu, 01 Jan 1970 00:00:00 GMT')).toEqual(all);
  });

  test.each(['bytes=9-1', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=x'])('%s is the whole file', async (range) => {
    const response = await get(content('digits.txt'), { range });
    expect([response.status, await response.text()]).toEqual([200, '0123456789']);
  });

  test('of what is not there, not allowed or no file are refused', async () => {
    expect((await get('/api/indexes/i1/nodes/nzzzz/content')).status).toBe(404);
    expect((await get('/api/indexes/i9/nodes/n1/content')).status).toBe(404);
    expect((await get(content('docs'))).status).toBe(400);
    const swapped = content('empty');
    rmSync(join(root, 'empty'));
    symlinkSync('/etc/passwd', join(root, 'empty'));
    expect((await get(swapped)).status).toBe(403);
  });
});

describe('lists', () => {
  test('page by links, or stream as CSV and lines of JSON', async () => {
    const docs = entries.find((entry: { name: string }) => entry.name === 'docs');
    const first = await json(`/api/indexes/i1/tree?parent=${docs.node_id}&limit=50`);
    expect(first.pagination).toMatchObject({ total: 120, total_in_page: 50, has_more: true });
    expect(first.data.entries[0]).toMatchObject({ name: '119.md', size: 119 });
    expect((await json(first.data.entries[0].link.slice(base.length))).data.path).toBe(
      join(root, 'docs/119.md'),
    );
    const lines = await (await get(`/api/indexes/i1/tree?parent=${docs.node_id}&format=ndjson`)).text();
    expect(lines.trim().split('\n')).toHaveLength(120);
    const csv = await (await get('/api/indexes/i1/reports/extensions?format=csv')).text();
    expect(csv.split('\n')[0]).toBe('label,files,size,disk_size');
  });

  test('equal files are a line each in CSV, however many there are', async () => {
    const place = emptyFolder();
    for (let i = 0; i < 1_200; i++) writeFileSync(join(place, `${i}`), 'same');
    await background.app.services.allowed.add(place);
    const { data } = await post('/api/indexes', { root: place });
    await (await get(`/api/jobs/${data.job_id}/events`)).text();
    const report = '/api/indexes/i2/reports/duplicates?min_size=1';
    const { groups } = (await json(report)).data;
    const [group] = groups;
    expect([groups.length, group.count, group.files.length]).toEqual([1, 1_200, 100]);
    const whole = new Set<string>();
    for (let next = `&group=${group.digest}&limit=500`; next !== ''; ) {
      const part = await json(`${report}${next}`);
      for (const file of part.data.files) whole.add(file.path);
      const cursor = part.pagination.next_cursor;
      next = cursor === undefined ? '' : `&group=${group.digest}&limit=500&cursor=${cursor}`;
    }
    expect(whole.size).toBe(1_200);
    expect((await get(`${report}&group=nothing`)).status).toBe(400);
    const csv = await (await get(`${report}&format=csv&max_bytes=2000`)).text();
    const [header, ...lines] = csv.trimEnd().split('\n');
    expect(header).toBe('digest,size,count,wasted,path,node_id');
    const { digest, wasted, files } = group;
    expect(lines).toHaveLength(1_200);
    expect(lines[0]).toBe(`${digest},4,1200,${wasted},${files[0].path},${files[0].node_id}`);
    expect(new Set(lines).size).toBe(1_200);
    const ndjson = await (await get(`${report}&format=ndjson`)).text();
    expect(JSON.parse(ndjson)).toEqual(group);
  });

  test('a parameter given twice is refused, not chosen from', async () => {
    for (const query of ['under=n1&under=n2', 'filter=%7B%7D&filter=%7B%7D', 'limit=1&limit=1']) {
      const twice = await get(`/api/indexes/i1/reports/largest?${query}`);
      const { error } = JSON.parse(await twice.text());
      const name = query.split('=')[0];
      expect([twice.status, error.code, error.message]).toEqual([
        400,
        'invalid_parameter',
        `${name} is given 2 times; give it once.`,
      ]);
    }
  });

  test('reports explain themselves', async () => {
    const { data } = await json('/api/indexes/i1/reports/largest?format=explain');
    expect(data).toMatchObject({
      steps: ['every node', 'the first 1000 files by disk_size'],
      rows: 126,
    });
    for (const report of [
      'reports/ages',
      'reports/extensions',
      'reports/duplicates',
      'reports/growth',
      'tree',
    ])
      expect((await json(`/api/indexes/i1/${report}?format=explain`)).data.steps[0]).toBe('every node');
    const compare = await get('/api/indexes/i1/compare/i1?format=explain');
    expect([compare.status, JSON.parse(await compare.text()).error.message]).toEqual([
      400,
      'format must be one of json, text, csv, ndjson: disk_compare has no plan to show.',
    ]);
    const summary = await json('/api/indexes/i1/summary?format=explain&filter={"ext":"md"}');
    expect(summary.data.steps).toEqual(['ext md', 'the entries of one folder by disk_size']);
    const filtered = await json(
      `/api/indexes/i1/reports/extensions?filter=${encodeURIComponent('{"name":"*.md"}')}`,
    );
    expect(filtered.data.groups).toMatchObject([{ label: 'md', files: 120 }]);
    const wrong = await get(`/api/indexes/i1/reports/ages?filter=${encodeURIComponent('{"size":"huge"}')}`);
    expect(wrong.status).toBe(400);
    expect(JSON.parse(await wrong.text()).error.details.place).toBe('filter.size');
  });
});

test('an index goes out in ncdu format', async () => {
  const response = await get('/api/indexes/i1/export');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="i1.ncdu.json"');
  const tree = importNcdu(await response.text(), 1, Date.now());
  expect(tree.meta).toMatchObject({ root, nodes: 126 });
});

test('names in it are redacted for a script, not for a person', async () => {
  const of = async (headers: Record<string, string>) =>
    (await fetch(`${base}/api/indexes/i1/export`, { headers })).text();
  expect(await of(person)).toContain(SECRET);
  const redacted = await of(token);
  expect(redacted).not.toContain(SECRET);
  expect(redacted).toContain('"name":"[redacted:github]"');
  expect(redacted).toContain('"name":"digits.txt"');
});

test('changes need the token, and clean-up plans are never run by a program', async () => {
  expect((await fetch(`${base}/api/indexes`, { method: 'POST', body: '{}' })).status).toBe(401);
  const { data } = await post('/api/queries', { select: true, filter: { name: '*.md' }, index_id: 'i1' });
  const plan = (await post(`/api/resource-sets/${data.selection_id}/plan`, {})).data;
  expect(plan.items).toBe(120);
  const refused = await post(`/api/plans/${plan.plan_id}/run`, { confirm: 120 });
  expect(refused.error.code).toBe('forbidden');
});
