import { mkdirSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { call, claude, lines, writeLog } from '../../test/fixtures/sessions/logs.ts';
import { temporaryFolder } from '../../test/support.ts';
import { startBackground } from '../daemon/background.ts';

const logs = temporaryFolder();
process.env.CLAUDE_CONFIG_DIR = logs;
process.env.CODEX_HOME = join(logs, 'none');
process.env.GEMINI_CLI_HOME = join(logs, 'none');

const SESSIONS = 60;
const idOf = (n: number) => `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`;
/** The oldest session, and the only one with failures. */
const OLDEST = idOf(0);
for (let n = 0; n < SESSIONS; n++) {
  const log = claude({ id: idOf(n) });
  const failing = [0, 1, 2, 3].flatMap((i) => [
    log.answer(`msg_${i}`, call(`t${i}`, 'Bash', { command: 'npm test' })),
    log.result(`t${i}`, 'Exit code 1', { error: true }),
  ]);
  writeLog(
    join(logs, 'projects', 'p', `${idOf(n)}.jsonl`),
    lines([log.prompt(`prompt ${n}`), ...(n === 0 ? failing : [])]),
  );
}

const background = await startBackground({
  home: temporaryFolder(),
  host: '127.0.0.1',
  port: 0,
  strictPort: true,
  idleMs: undefined,
});
if (background === undefined) throw new Error('no background process');
afterAll(() => background.stop());
await background.app.services.sessions.reading.refresh();
const headers = { authorization: `Bearer ${background.token}`, 'content-type': 'application/json' };
const get = (path: string) => fetch(`http://127.0.0.1:${background.port}${path}`, { headers });
const text = async (path: string) => (await get(path)).text();
const json = async (path: string) => JSON.parse(await text(path));
/** The rows of lines of JSON. */
const rows = async (path: string) =>
  (await text(path))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('an indexed folder streams its entries, not the way to it', async () => {
  const place = await realpath(temporaryFolder());
  mkdirSync(join(place, 'sub'));
  writeFileSync(join(place, 'sub', 'inner.txt'), 'x'.repeat(5000));
  writeFileSync(join(place, 'a, "b".txt'), 'xy');
  await background.app.services.allowed.add(place);
  const started = await fetch(`http://127.0.0.1:${background.port}/api/indexes`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ root: place }),
  });
  const { data } = JSON.parse(await started.text());
  await text(`/api/jobs/${data.job_id}/events`);
  const listed = `/api/cd?path=${place}&sort=name&format=`;
  const { breadcrumb, entries } = (await json(`${listed}json`)).data;
  expect([breadcrumb.length, entries.length]).toEqual([1, 2]);
  expect(await rows(`${listed}ndjson`)).toEqual(entries);
  const [file, folder] = entries;
  expect(await text(`${listed}csv`)).toBe(
    [
      'node_id,name,kind,size,disk_size,counts,entries,target,broken,modified_at,link,was',
      `${file.node_id},"a, ""b"".txt",file,2,,,,,,${file.modified_at},${file.link},`,
      `${folder.node_id},sub,dir,${folder.size},,"{""files"":1,""dirs"":0}",,,,${folder.modified_at},${folder.link},`,
      '',
    ].join('\n'),
  );
});

test('the analysis of a session streams its insights, not the penalties', async () => {
  const address = `/api/agent-sessions/${OLDEST}/analysis?format=`;
  const { penalties, insights } = (await json(`${address}json`)).data;
  expect([penalties.length > 0, insights[0].lens]).toEqual([true, 'checks']);
  expect(await rows(`${address}ndjson`)).toEqual(insights);
  const [header, ...more] = (await text(`${address}csv`)).trimEnd().split('\n');
  expect(header).toMatch(/^turn_index,step_index,event_index,severity,lens,message,kind,/);
  expect(more).toHaveLength(insights.length);
});

test('a column that only a later page fills is there from the start', async () => {
  const [header = '', ...more] = (await text('/api/agent-sessions?format=csv')).trimEnd().split('\n');
  expect(more).toHaveLength(SESSIONS);
  const at = header.split(',').indexOf('failures');
  expect([at >= 0, more[0]?.split(',')[at], more.at(-1)?.split(',')[at]]).toEqual([true, '', '4']);
});

test.each(['limit', 'page_size', 'pageSize'])('%s is the number of rows', async (name) => {
  for (const path of ['/api/agent-sessions', `/api/agent-sessions/${OLDEST}/turns`, '/api/audit'])
    expect((await json(`${path}?${name}=1`)).pagination.total_in_page).toBe(1);
  const many = await json(`/api/agent-sessions?${name}=many`);
  expect(many.error.message).toBe('limit must be a number.');
});

test.each(['csv', 'ndjson'])(
  '%s honours the limit, over pages too, and refuses a wrong one',
  async (format) => {
    const count = async (path: string) => {
      const lines = (await text(`${path}${path.includes('?') ? '&' : '?'}format=${format}`))
        .trimEnd()
        .split('\n');
      return lines.length - (format === 'csv' ? 1 : 0);
    };
    expect(await count('/api/agent-sessions?limit=2')).toBe(2);
    expect(await count('/api/agent-sessions?page_size=3')).toBe(3);
    expect(await count('/api/agent-sessions?limit=55')).toBe(55);
    expect(await count('/api/agent-sessions')).toBe(SESSIONS);
    expect(await json(`/api/agent-sessions?limit=many&format=${format}`)).toMatchObject({
      error: { message: 'limit must be a number.' },
    });
  },
);

test('an empty list has its header', async () => {
  expect(await text('/api/plans?format=csv')).toMatch(/^plan_id,.*\n$/);
});
