import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rescan } from '../src/disk/scan/rescan.ts';
import { emptyFolder, rescanOf, scan } from './disk/made-tree.ts';
import { ask, temporaryHouse } from './support.ts';

const house = await temporaryHouse();
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
