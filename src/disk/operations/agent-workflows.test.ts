import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { connectClient, MAIN, onlyText, processHome } from '../../../test/processes.ts';

/** How an agent works with a disk, call by call, through the real client and the real processes. */

const house = processHome();
const root = emptyFolder();
for (let i = 0; i < 60; i++) {
  mkdirSync(join(root, `project-${i}`, 'logs'), { recursive: true });
  writeFileSync(join(root, `project-${i}`, 'main.ts'), 'x'.repeat(i));
  writeFileSync(join(root, `project-${i}`, 'logs', 'run.log'), 'x'.repeat(i * 1_000));
}

let client: Awaited<ReturnType<typeof connectClient>>;
const sizes: number[] = [];

beforeAll(async () => {
  // A person allows the folder once; links in answers then open it as well.
  execFileSync(process.execPath, [MAIN, 'allow', root], { env: house.env });
  client = await connectClient(house, { cwd: root, args: ['--format', 'json', '--toolsets', 'disk'] });
});
afterAll(() => client.close());

async function call(name: string, input: Record<string, unknown>) {
  const text = onlyText(await client.callTool({ name, arguments: input }));
  sizes.push(Buffer.byteLength(text));
  return JSON.parse(text);
}

const follow = async (url: string) =>
  JSON.parse(await (await fetch(url, { headers: house.script() })).text());

test('index and monitor, browsing meanwhile', async () => {
  const started = await call('index', { root });
  expect(started.data).toMatchObject({ index_id: 'i1', cwd_hint: root });
  expect((await call('cd', { path: root })).data.cwd).toBe(root);
  const events = await (await fetch(`${started.data.status_url}/events`, { headers: house.script() })).text();
  expect(events).toContain('"status":"done"');
  const done = await call('job_progress', { job_id: started.data.job_id });
  expect(done.data).toMatchObject({
    status: 'done',
    progress_pct: 100,
    index_id: 'i1',
    report: { files: 120, dirs: 120 },
  });
});

describe('after that', () => {
  test('navigate, then deepen by link', async () => {
    const top = await call('cd', { path: root });
    expect(top.data).toMatchObject({ indexed: true, total: { files: 120, dirs: 120 } });
    expect(top.data.entries[0]).toMatchObject({ name: 'project-59', counts: { files: 2, dirs: 1 } });
    expect(top.data.entries.length + top.data.rest.entries).toBe(60);
    const below = await call('cd', { path: 'project-59', shell: top.data.shell });
    expect(below.data.cwd).toBe(join(root, 'project-59'));
    const detail = await call('inspect', { node_id: top.data.entries[0].node_id });
    const listing = await follow(`${detail.links.children}&limit=50`);
    expect(listing.data.entries.map((entry: { name: string }) => entry.name)).toEqual(['logs', 'main.ts']);
    const log = listing.data.entries[0].node_id;
    const file = await follow(detail.links.children.replace(/parent=.*/, `parent=${log}`));
    const content = await fetch(`${file.data.entries[0].link}/content`, { headers: await house.person() });
    expect(await content.text()).toBe('x'.repeat(59_000));
  });

  test('curate a selection by handles', async () => {
    const { data } = await call('cd', { path: root });
    const [first, second, third] = data.entries.map((entry: { node_id: string }) => entry.node_id);
    const made = await call('resource_set_create', { name: 'review', node_ids: [first, second] });
    const changed = await call('resource_set_update', {
      selection_id: made.data.selection_id,
      add: [third],
      remove: [first],
    });
    expect(changed.data).toMatchObject({ name: 'review', counts: { nodes: 2, files: 4, dirs: 4 } });
    const all = await follow(changed.links.entries);
    expect(all.data.entries.map((entry: { path: string }) => entry.path).sort()).toEqual([
      join(root, 'project-57'),
      join(root, 'project-58'),
    ]);
  });

  test('a saved query becomes a set', async () => {
    const run = await call('query_run', { filter: { name: '*.log', size: '>50k' }, save_as: 'big logs' });
    expect(run.data).toMatchObject({ query_id: 'q1', counts: { matches: 8, files: 8 } });
    expect(run.data.report[0]).toMatchObject({ path: 'project-59/logs/run.log', size: 59_000 });
    const again = await call('query_run', { query_id: 'q1' });
    expect(again.data.selection_id).toBe(run.data.selection_id);
    expect((await call('query_list', {})).data.queries[0]).toMatchObject({
      name: 'big logs',
      selection_id: run.data.selection_id,
    });
    expect(
      (await call('resource_set_get', { selection_id: run.data.selection_id })).data.sample,
    ).toHaveLength(8);
  });

  test('no answer had more than 2,500 bytes', () => {
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_500);
    expect(sizes.length).toBeGreaterThan(10);
  });
});
