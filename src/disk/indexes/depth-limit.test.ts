import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { ask, temporaryApp } from '../../../test/support.ts';

/* An index with a depth limit knows the size of everything, and nothing else of what is below the limit. */

const house = await temporaryApp();
const root = realpathSync(emptyFolder());
mkdirSync(join(root, 'a/b/c/d'), { recursive: true });
for (const [path, kilobytes] of [
  ['a/1', 100],
  ['a/b/2', 200],
  ['a/b/c/3', 400],
  ['a/b/c/d/4', 800],
] as const)
  writeFileSync(join(root, path), 'x'.repeat(kilobytes * 1000));
const me = { id: 'cli', door: 'cli', roots: [root], cwd: root } as const;
const call = async (operation: string, input: object = {}) =>
  (await ask(house, operation, { ...input }, me)).body;
const text = async (operation: string, input: object = {}) =>
  (await ask(house, operation, { ...input }, { ...me, format: 'text' })).answer.rendered.text;

async function index(more: object): Promise<void> {
  const { data } = await call('index', { root, ...more });
  const status = async () => (await call('job_progress', { job_id: data.job_id })).data.status;
  await expect.poll(status).toBe('done');
}

test('sizes are those of everything, and answers say where the index ends', async () => {
  await index({});
  const whole = (await call('cd', { path: root })).data;
  await index({ depth_limit: 1 });
  const flat = (await call('cd', { path: root })).data;
  expect(flat.total).toEqual({ ...whole.total, dirs: 1, depth_limit: 1 });
  expect(flat.total.size).toBeGreaterThan(1_500_000);
  expect(flat.entries).toMatchObject([{ name: 'a', size: whole.entries[0].size, counts: { files: 4 } }]);
  expect(flat.entries[0].counts.dirs).toBeUndefined();
  expect(flat.scanned).not.toContain('every change is seen');
  expect(await text('cd', { path: root })).toContain('known to depth 1');
});

test('the folder at the limit is listed as it is on the disk', async () => {
  const { data } = await call('cd', { path: join(root, 'a') });
  expect(data.entries.map(({ name, size }: { name: string; size?: number }) => [name, size])).toEqual([
    ['b', undefined],
    ['1', 100_000],
  ]);
  expect(data.total).toMatchObject({ files: 4, depth_limit: 1 });
  expect([data.changed, data.total.shared]).toEqual([undefined, undefined]);
  expect((await call('cd', { path: join(root, 'a/b') })).data).toMatchObject({ indexed: false });
  const inspected = (await call('inspect', { path: join(root, 'a') })).data;
  expect(inspected.total).toMatchObject({ size: data.total.size, files: 4, depth_limit: 1 });
});

test('what is below the limit is not found, and the answer says so', async () => {
  const large = { filter: { kind: 'file', size: '>100kB' } };
  const found = await call('query_run', large);
  expect([found.data.counts.matches, found.meta.depth_limit]).toEqual([0, 1]);
  expect((await call('disk_largest', { under: root })).meta.depth_limit).toBe(1);
  expect((await call('disk_indexes')).data.indexes).toMatchObject([{ depth_limit: 1 }]);
  const summary = (await call('disk_summary', { under: root })).data;
  expect(summary).toMatchObject({ depth_limit: 1, files: 4 });
  expect(await text('disk_largest', { under: root })).toContain(
    'This index covers files and folders to depth 1 only.',
  );
});

test('a change below the limit is seen by the next scan', async () => {
  const { size } = (await call('cd', { path: root })).data.total;
  writeFileSync(join(root, 'a/b/c/d/4'), 'x');
  await index({ depth_limit: 1 });
  expect((await call('cd', { path: root })).data.total.size).toBe(size - 799_999);
  await index({});
  expect((await call('query_run', { filter: { size: '=1' } })).data.counts.matches).toBe(1);
  expect((await call('cd', { path: root })).data.total).not.toHaveProperty('depth_limit');
});
