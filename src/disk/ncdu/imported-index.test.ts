import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { ask, temporaryApp } from '../../../test/support.ts';
import { createRoots } from '../../contract/roots.ts';

/* An export of another machine names a folder that is here, too: nothing here is read by it. */

const house = await temporaryApp();
const here = realpathSync(emptyFolder());
writeFileSync(join(here, 'same.txt'), 'local content');
mkdirSync(join(here, 'sub'));
const file = join(here, 'export.json');
writeFileSync(
  file,
  JSON.stringify([
    1,
    2,
    { timestamp: 1_700_000_000 },
    [
      { name: here, asize: 4096, dsize: 4096 },
      { name: 'same.txt', asize: 7_000_000, dsize: 7_000_064, mtime: 1_600_000_000 },
      [{ name: 'sub' }, { name: 'elsewhere-only', asize: 10, dsize: 4096 }],
    ],
  ]),
);
const page = { id: 'page', door: 'page' } as const;
const cli = { id: 'cli', door: 'cli', roots: ['/'], cwd: here } as const;
const agent = { id: 'agent', roots: [here], cwd: here } as const;
const call = async (operation: string, input: object, who: object) =>
  (await ask(house, operation, { ...input }, who)).body;
let on = { index_id: '' };

beforeAll(async () => {
  const { data } = await call('disk_import', { file }, cli);
  expect(data).toMatchObject({ root: here, imported: true, files: 2 });
  on = { index_id: data.index_id };
});

test.each([
  ['page', page],
  ['terminal', cli],
])('a person at the %s browses it, marked as imported', async (_door, who) => {
  const { indexes } = (await call('disk_indexes', {}, who)).data;
  expect(indexes).toMatchObject([{ ...on, imported: true, root: here }]);
  const { entries } = (await call('disk_tree', on, who)).data;
  expect(entries.map(({ name }: { name: string }) => name)).toEqual(['same.txt', 'sub']);
  expect((await call('disk_find', { ...on, under: join(here, 'sub') }, who)).data.nodes).toHaveLength(2);
  expect((await call('disk_treemap', on, who)).data.names).toContain('same.txt');
  const node = { ...on, node_id: entries[0].node_id };
  const { data, links } = await call('inspect', node, who);
  expect(data).toMatchObject({ imported: true, size: 7_000_000, modified_at: '2020-09-13T12:26:40Z' });
  expect(data.permissions).toBeUndefined();
  expect(links.download).toBeUndefined();
});

test('no file here is read, planned or compared by it', async () => {
  const { entries } = (await call('disk_tree', on, cli)).data;
  const node_id = entries[0].node_id;
  await expect(
    house.services.disk.openContent(
      on.index_id,
      node_id,
      await createRoots(['/'], undefined, true),
      undefined,
    ),
  ).rejects.toThrow(/imported/);
  expect((await call('inspect', { ...on, node_id, digest: true }, cli)).error.code).toBe('invalid_parameter');
  expect((await call('disk_duplicates', on, cli)).error.message).toContain('imported');
  const filter = { duplicates: true };
  expect((await call('disk_find', { ...on, filter }, cli)).error.message).toContain('imported');
  const set = await call('resource_set_create', { name: 'x', ...on, node_ids: [node_id] }, cli);
  const plan = await call('disk_plan_create', { selection_id: set.data.selection_id }, cli);
  expect(plan.error.message).toContain('imported');
});

test('a folder of the same path is shown as it is here', async () => {
  const { data } = await call('cd', { path: here }, cli);
  expect(data.indexed).toBe(false);
  const [same] = data.entries.filter(({ name }: { name: string }) => name === 'same.txt');
  expect(same.size).toBe(13);
  expect((await call('inspect', { path: join(here, 'same.txt') }, cli)).data).toMatchObject({ size: 13 });
});

test('no agent sees it, not even one that may read a folder of that path, and none imports', async () => {
  expect((await call('disk_indexes', {}, agent)).data.indexes).toEqual([]);
  expect((await call('disk_index', on, agent)).error.code).toBe('index_not_found');
  for (const operation of ['disk_tree', 'disk_find', 'disk_treemap', 'disk_largest']) {
    const { answer, body } = await ask(house, operation, { ...on }, agent);
    expect(body.error.code).toBe('path_not_allowed');
    expect(answer.rendered.text).not.toContain('elsewhere-only');
  }
  expect((await call('disk_import', { file }, agent)).error.code).toBe('forbidden');
});
