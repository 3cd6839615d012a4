import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { connectClient, MAIN, onlyText, processHome } from '../../../test/processes.ts';
import { DISK_OPERATIONS } from './index.ts';

/** Every tool of the disk at its default limits, on a tree made to be hard: long names, deep paths, many of everything. */

const MOST_BYTES = 2_500;
const house = processHome();
const root = emptyFolder();
const long = (start: string) => `${start} ${'"漢字 \u0007é'.repeat(40)}`.slice(0, 100);
let deep = root;
for (let level = 0; level < 12; level++) {
  deep = join(deep, `${long(`level ${level}`).slice(0, 60)}`);
  mkdirSync(deep);
}
writeFileSync(join(deep, long('leaf')), 'x'.repeat(7_000));
for (let i = 0; i < 60; i++) {
  const folder = join(root, long(`folder ${i}`));
  mkdirSync(folder);
  for (let k = 0; k < 40; k++)
    writeFileSync(join(folder, `${long(`file ${k}`)}.log`), 'x'.repeat(i * 37 + k * 13));
}

let client: Awaited<ReturnType<typeof connectClient>>;
const seen = new Set<string>();

beforeAll(async () => {
  execFileSync(process.execPath, [MAIN, 'allow', root], { env: house.env });
  client = await connectClient(house, { cwd: root, args: ['--format', 'json', '--toolsets', 'disk'] });
  const { data } = await call('index', { root });
  await (await fetch(`${data.status_url}/events`, { headers: house.script() })).text();
  for (let i = 0; i < 15; i++) {
    const filter = { any: [{ name: `*${i}*` }, { path: `**/${'long pattern '.repeat(20)}${i}` }] };
    await call('query_run', { filter, save_as: long(`query ${i}`) });
  }
});
afterAll(() => client.close());

async function call(name: string, input: Record<string, unknown>) {
  const text = onlyText(await client.callTool({ name, arguments: input }));
  expect({ name, bytes: Buffer.byteLength(text) }).toEqual({ name, bytes: expect.any(Number) });
  expect(Buffer.byteLength(text), `${name} ${text.slice(0, 200)}`).toBeLessThanOrEqual(MOST_BYTES);
  seen.add(name);
  const body = JSON.parse(text);
  expect(body.error, name).toBeUndefined();
  return body;
}

const sum = (rows: readonly { size: number }[]) => rows.reduce((all, row) => all + row.size, 0);

describe('at default limits', () => {
  test('cd: entries, rest and the folder itself are its size', async () => {
    const { data } = await call('cd', { path: root });
    expect(data.entries.length).toBeGreaterThan(3);
    expect(data.entries.length + data.rest.entries).toBe(61);
    expect(sum(data.entries) + data.rest.size + data.total.own).toBe(data.total.size);
    expect(data.total.files).toBe(60 * 40 + 1);
  });

  test('cd and inspect far down', async () => {
    const below = await call('cd', { path: deep });
    expect(below.data.entries).toHaveLength(1);
    const { data } = await call('inspect', { path: deep });
    expect(data).toMatchObject({ kind: 'dir', total: { files: 1, dirs: 0 } });
    await call('inspect', { node_id: below.data.entries[0].node_id, digest: true });
  });

  test('query_run: report and rest, minus the overlap, are the total', async () => {
    const { data } = await call('query_run', { filter: { size: '>=0' } });
    expect(data.counts.matches).toBe(60 * 40 + 1 + 60 + 12 + 1);
    expect(data.report.length + data.rest.nodes).toBe(data.counts.matches);
    expect(sum(data.report) + data.rest.size - data.overlap).toBe(data.total_size);
    const files = await call('query_run', { filter: { kind: 'file' } });
    expect(files.data.overlap).toBeUndefined();
    expect(sum(files.data.report) + files.data.rest.size).toBe(files.data.total_size);
  });

  test('selections: sample and rest, minus the overlap, are the total', async () => {
    const { data } = await call('query_run', { filter: { depth: '<=1' }, select: true });
    for (const card of [
      (await call('resource_set_get', { selection_id: data.selection_id })).data,
      (await call('resource_set_update', { selection_id: data.selection_id, name: long('kept') })).data,
      (await call('resource_set_create', { name: long('copy'), query_id: 'q1' })).data,
    ]) {
      expect(card.sample.length + (card.rest?.nodes ?? 0)).toBe(card.counts.nodes);
      expect(sum(card.sample) + (card.rest?.size ?? 0) - (card.overlap ?? 0)).toBe(card.total_size);
    }
    expect((await call('resource_set_delete', { selection_id: data.selection_id })).data.deleted).toBe(true);
  });

  test.each(['resource_set_list', 'query_list'])('%s: the pages are the whole', async (name) => {
    const key = name === 'query_list' ? 'queries' : 'selections';
    const ids: string[] = [];
    let input = {};
    for (;;) {
      const { data, pagination } = await call(name, input);
      for (const card of data[key]) ids.push(card.query_id ?? card.selection_id);
      if (!pagination.has_more) break;
      input = { cursor: pagination.next_cursor };
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(15);
  });

  test('queries, jobs and preferences', async () => {
    expect((await call('query_get', { query_id: 'q1' })).data).toMatchObject({
      query_id: 'q1',
      runs: [{ generation: 1 }],
    });
    const { data } = await call('index', { root });
    const job = await call('job_progress', { job_id: data.job_id });
    expect(job.data.job_id).toBe(data.job_id);
    expect((await call('session_preferences', { shell: 'w1', units: 'si' })).data).toMatchObject({
      units: 'si',
    });
  });
});

test('every tool of the disk was called', () => {
  const tools: string[] = DISK_OPERATIONS.filter(({ toolset }) => toolset === 'disk').map(({ name }) => name);
  expect([...seen].filter((name) => tools.includes(name)).sort()).toEqual(tools.sort());
});
