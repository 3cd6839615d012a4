import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { indexed } from '../../../test/disk/indexed.ts';
import { emptyFolder, rescanOf, scan } from '../../../test/disk/made-tree.ts';
import { ask, temporaryApp } from '../../../test/support.ts';
import { createRoots } from '../../contract/roots.ts';
import { rescan } from './rescan.ts';

const house = await temporaryApp();
const raw = (path: string) => Buffer.concat([Buffer.from(`${path}/bad-`), Buffer.from([0xff, 0xfe])]);

test.each(['file', 'folder'])('a %s whose name is not UTF-8 is no change', async (kind) => {
  const root = emptyFolder();
  mkdirSync(join(root, 'sub'));
  writeFileSync(join(root, 'sub/a'), 'a');
  if (kind === 'file') writeFileSync(raw(join(root, 'sub')), 'x');
  else mkdirSync(raw(join(root, 'sub')));
  const who = { roots: [root], cwd: root };
  const { body } = await ask(house, 'index', { root }, who);
  await new Promise<void>((resolve) => {
    const ended = (job: { status: string } | undefined) => job?.status === 'done' && resolve();
    house.services.jobs.watch(body.data.job_id, ended);
    void house.services.jobs.get(body.data.job_id).then(ended);
  });
  const { index_id } = body.data;
  await house.services.disk.indexes.watching(index_id);
  const { fresh, row } = await house.services.disk.indexes.open(index_id);
  expect({ changed: fresh.changedFolders, files: row.files }).toEqual({
    changed: 0,
    files: kind === 'file' ? 2 : 1,
  });
});

test('a rescan that looks at files one by one finds one whose name is not UTF-8 as it was', async () => {
  const root = emptyFolder();
  writeFileSync(raw(root), 'x');
  const scanned = await scan(root);
  // As if scanned long after the folder was made, so that its time stamp tells enough; the file is still recent.
  const tree = { ...scanned, meta: { ...scanned.meta, scannedAt: Date.now() + 60_000 } };
  expect(await rescan(rescanOf(tree))).toMatchObject({ changed: false, foldersRead: 0, filesChecked: 1 });
});

// Only Linux has names that are not text.
test.runIf(process.platform === 'linux')(
  'a folder whose name is not UTF-8 is scanned like any other',
  async () => {
    const root = emptyFolder();
    const folder = raw(root);
    const below = (name: string) => Buffer.concat([folder, Buffer.from(`/${name}`)]);
    mkdirSync(below('sub/sub'), { recursive: true });
    mkdirSync(below('sub/other'));
    writeFileSync(below('a'), 'x'.repeat(100));
    writeFileSync(below('sub/sub/b'), 'x'.repeat(1_000));
    // Shown alike, and yet another one.
    mkdirSync(join(root, 'bad-\ufffd\ufffd'));
    writeFileSync(join(root, 'bad-\ufffd\ufffd/c'), 'x'.repeat(10));
    const before = await scan(root);
    expect(before.meta).toMatchObject({ nodes: 9, dirs: 6, errors: {} });

    writeFileSync(below('sub/other/d'), 'x'.repeat(5));
    rmSync(below('a'));
    const { tree, changed } = await rescan(rescanOf(before));
    expect({ changed, ...tree.meta }).toMatchObject({ changed: true, nodes: 9, dirs: 6, errors: {} });
    const sizes = (each: typeof tree) => [...each.size].filter((_, row) => (each.kind[row] ?? 0) % 4 === 0);
    expect(sizes(tree).sort((a, b) => a - b)).toEqual([5, 10, 1_000]);
  },
);

test.runIf(process.platform === 'linux')(
  'a name that is not valid text never shows, sends or plans another file',
  async () => {
    const root = emptyFolder();
    writeFileSync(raw(root), 'x'.repeat(7_000));
    writeFileSync(join(root, 'bad-\ufffd\ufffd'), 'another');
    const who = { roots: [root], cwd: root };
    const { body } = await ask(house, 'index', { root }, who);
    const { index_id, job_id } = body.data;
    await new Promise<void>((resolve) => {
      const ended = (job: { status: string } | undefined) => job?.status === 'done' && resolve();
      house.services.jobs.watch(job_id, ended);
      void house.services.jobs.get(job_id).then(ended);
    });
    const found = await ask(
      house,
      'disk_find',
      { index_id, filter: { size: '7000..8000', kind: 'file' } },
      who,
    );
    const [{ node_id }] = found.body.data.nodes;
    const shown = await ask(house, 'inspect', { index_id, node_id }, who);
    expect(shown.body.data).toMatchObject({ node_id, size: 7_000 });
    expect(shown.body.links.download).toBeUndefined();
    const roots = await createRoots([root]);
    await expect(house.services.disk.openContent(index_id, node_id, roots)).rejects.toMatchObject({
      code: 'path_not_allowed',
    });
    const set = await ask(house, 'resource_set_create', { name: 'raw', index_id, node_ids: [node_id] }, who);
    const plan = await ask(house, 'disk_plan_create', { selection_id: set.body.data.selection_id }, who);
    expect(plan.body.data).toMatchObject({ items: 0, missing: 1 });
  },
);

test.runIf(process.platform === 'linux')(
  'cd to a name that is not valid UTF-8 suggests its node id',
  async () => {
    const root = emptyFolder();
    mkdirSync(raw(root));
    writeFileSync(Buffer.concat([raw(root), Buffer.from('/inside')]), 'x'.repeat(300));
    const who = { roots: [root], cwd: root };
    const path = 'bad-\ufffd\ufffd';
    const before = await ask(house, 'cd', { path }, who);
    expect(before.body.error.message).toContain('Index a folder above it');
    expect(before.body.error.next).toMatchObject({ operation: 'index', input: { root } });
    await indexed(house, root, who);
    const { error } = (await ask(house, 'cd', { path }, who)).body;
    expect(error.next.operation).toBe('inspect');
    const { node_id, index_id } = error.next.input;
    const { data, links } = (await ask(house, 'inspect', { node_id, index_id }, who)).body;
    expect(data).toMatchObject({ path: join(root, path), kind: 'dir', total: { files: 1 } });
    expect(links.children).toContain(`parent=${node_id}`);
    const tree = await ask(house, 'disk_tree', { index_id, parent: node_id }, who);
    expect(tree.body.data.entries).toMatchObject([{ name: 'inside', size: 300 }]);
    expect((await ask(house, 'cd', { path: 'nowhere' }, who)).body.error.message).toMatch(/Nothing exists/);
  },
);

test('a folder so deep that no path leads to it is scanned by two scanners and rescanned', async () => {
  const root = emptyFolder();
  const name = 'x'.repeat(200);
  const start = process.cwd();
  try {
    process.chdir(root);
    for (let depth = 0; depth < 30; depth++) {
      for (const side of ['a', 'b', 'c']) {
        mkdirSync(side + name);
        writeFileSync(`${side}${name}/f`, 'x');
      }
      process.chdir(`a${name}`);
    }
  } finally {
    process.chdir(start);
  }
  try {
    const tree = await scan(root);
    expect(tree.meta).toMatchObject({ nodes: 181, dirs: 91, errors: {} });
    const again = await rescan(rescanOf(tree));
    expect(again.tree.meta).toMatchObject({ nodes: 181, dirs: 91, errors: {} });
  } finally {
    // As it is, nothing that removes by path could remove it.
    renameSync(join(root, ...Array.from({ length: 15 }, () => `a${name}`)), join(root, 'half'));
  }
});
