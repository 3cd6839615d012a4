import { beforeAll, expect, test } from 'vitest';
import { indexed } from '../../../test/disk/indexed.ts';
import { madeTree } from '../../../test/disk/made-tree.ts';
import { ask, temporaryApp } from '../../../test/support.ts';

/** The same filter re-shapes the list, the map and the reports, and all of them say the same totals. */

const house = await temporaryApp();
const root = madeTree();
const who = { roots: [root], cwd: root, budget: 1_000_000 };
beforeAll(() => indexed(house, root, who));

const call = async (operation: string, input: object) =>
  (await ask(house, operation, { index_id: 'i1', ...input }, who)).body;

interface Entry {
  readonly node_id: string;
  readonly name: string;
  readonly kind: string;
  readonly size: number;
  readonly disk_size: number;
}

/** All files below, by walking the filtered tree folder by folder. */
async function walk(filter: object, parent?: string): Promise<Entry[]> {
  const found: Entry[] = [];
  const { data } = await call('disk_tree', { filter, parent, limit: 1000 });
  for (const entry of data.entries as Entry[]) {
    if (entry.kind !== 'dir') found.push(entry);
    else {
      const below = await walk(filter, entry.node_id);
      expect(below.length).toBeGreaterThan(0);
      found.push(...below);
    }
  }
  return found;
}

const sum = (rows: readonly { disk_size: number }[]) => rows.reduce((all, row) => all + row.disk_size, 0);

test.each([
  [{ name: '*.md' }],
  [{ ext: ['ts', 'log'] }],
  [{ all: [{ kind: 'file' }, { size: '>700' }], not: { name: 'same*' } }],
  [{ name: { regex: '^[a-i]' } }],
  [{ path: 'docs/**' }],
])('%j', async (filter) => {
  const files = await walk(filter);
  expect(files.length).toBeGreaterThan(0);
  const { data: tree } = await call('disk_tree', { filter });
  const { data: map } = await call('disk_treemap', { filter });
  const { data: summary } = await call('disk_summary', { filter });
  const { data: found } = await call('disk_find', {
    filter: { all: [filter, { not: { kind: 'dir' } }] },
    limit: 1000,
  });
  const names = (rows: readonly { node_id: string }[]) => rows.map((row) => row.node_id).sort();
  expect(names(files)).toEqual(names(found.nodes));
  // A file with several names counts once, in every one of them.
  const linked = found.nodes.filter((row: { path: string }) => row.path.includes('links/')).length > 1;
  if (!linked) expect(sum(files)).toBe(tree.total_disk_size);
  expect(tree.total_files).toBe(files.length);
  expect([map.sizes[0], summary.disk_size]).toEqual([tree.total_disk_size, tree.total_disk_size]);
  expect(summary.files).toBe(files.length);
  const shown = sum(summary.largest) + (summary.rest?.disk_size ?? 0);
  expect(shown - (summary.shared ?? 0)).toBe(summary.disk_size);
});

test('pages of a filtered folder are its entries, each once, by their filtered size', async () => {
  const filter = { name: { regex: '[aeiou]' } };
  const all = (await call('disk_tree', { filter, limit: 1000 })).data.entries as Entry[];
  const seen: string[] = [];
  let input: object = { filter, limit: 2 };
  for (;;) {
    const { data, pagination } = await call('disk_tree', input);
    seen.push(...data.entries.map((entry: Entry) => entry.name));
    if (!pagination.has_more) break;
    input = { filter, limit: 2, cursor: pagination.next_cursor };
  }
  expect(seen).toEqual(all.map((entry) => entry.name));
  expect(all.map((entry) => entry.size)).toEqual(all.map((entry) => entry.size).sort((a, b) => b - a));
});

test('nothing passes: an empty tree, not an error', async () => {
  const { data } = await call('disk_tree', { filter: { name: 'no such name' } });
  expect(data).toMatchObject({ entries: [], total_size: 0, total_files: 0 });
  expect((await call('disk_treemap', { filter: { name: 'no such name' } })).data.sizes).toEqual([0]);
});

test('a file counts by whichever of its names passes', async () => {
  for (const name of ['original', 'same1', 'elsewhere']) {
    const filter = { name };
    const { data: set } = await call('query_run', { filter });
    const bytes = set.total_disk_size;
    expect(bytes).toBeGreaterThanOrEqual(50_000);
    expect((await call('disk_tree', { filter })).data.total_disk_size).toBe(bytes);
    expect((await call('disk_summary', { filter })).data.disk_size).toBe(bytes);
    expect((await call('disk_treemap', { filter })).data.sizes[0]).toBe(bytes);
    expect((await call('disk_largest', { filter })).data.files).toMatchObject([{ disk_size: bytes }]);
    for (const report of ['disk_extensions', 'disk_ages'])
      expect((await call(report, { filter })).data.groups).toMatchObject([{ files: 1, disk_size: bytes }]);
  }
});

test('a summary adds up to the byte, with what the folder itself takes and what is shared', async () => {
  for (const under of [root, `${root}/links`, `${root}/docs`]) {
    const { data } = await call('disk_summary', { under });
    const { largest, rest, own = 0, shared = 0, disk_size } = data;
    expect(sum(largest) + (rest?.disk_size ?? 0) + own - shared).toBe(disk_size);
    if (under.endsWith('links')) expect(shared).toBeGreaterThanOrEqual(3 * 50_000);
  }
});
