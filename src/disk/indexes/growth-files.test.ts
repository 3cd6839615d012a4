import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, madeTree, scan } from '../../../test/disk/made-tree.ts';
import { growthBase } from '../reports/growth-report.ts';
import { treeOver } from '../tree/tree-columns.ts';
import { rowOfPath } from '../tree/tree-nodes.ts';
import { addBaseline } from './baselines.ts';
import { generations, goneBetween, sizesAt, writeGrowth } from './growth-files.ts';

test('a deleted folder is listed once, without the folders that were inside it', async () => {
  const root = madeTree();
  const folder = emptyFolder();
  const first = await scan(root);
  await writeGrowth(folder, undefined, first);
  rmSync(join(root, 'docs'), { recursive: true });
  const second = await scan(root, {}, first);
  await writeGrowth(folder, first, second);
  const id = first.id[rowOfPath(first, join(root, 'docs'))];
  expect(await goneBetween(folder, 1, 2)).toEqual([[id, join(root, 'docs')]]);
});

test('a generation that was asked for is kept when old ones are merged', async () => {
  const folder = emptyFolder();
  const tree = await scan(madeTree());
  const numbered = (generation: number) => treeOver(tree.buffer, { ...tree.meta, generation });
  await writeGrowth(folder, undefined, numbered(1));
  await addBaseline(folder, { generation: 3, scannedAt: 7 });
  for (let generation = 2; generation <= 70; generation++)
    await writeGrowth(folder, numbered(generation - 1), numbered(generation));
  const kept = (await generations(folder)).map(({ generation }) => generation);
  expect(kept).toHaveLength(60);
  expect(kept.slice(0, 3)).toEqual([3, 12, 13]);
  expect(await growthBase(folder, 70, undefined)).toMatchObject({ generation: 3, scanned_at: 7 });
  for (const generation of [3, 12, 70]) expect((await sizesAt(folder, generation)).size).toBe(tree.meta.dirs);
});

test('a scan with other limits is not compared with the ones before it', async () => {
  const root = madeTree();
  const folder = emptyFolder();
  const whole = await scan(root);
  await writeGrowth(folder, undefined, whole);
  await addBaseline(folder, { generation: 1, scannedAt: 7 });
  const flat = await scan(root, { depthLimit: 1 }, whole);
  await writeGrowth(folder, whole, flat);
  expect(await generations(folder)).toMatchObject([{ generation: 2 }]);
  expect((await sizesAt(folder, 2)).size).toBe(flat.meta.dirs);
  expect(await growthBase(folder, 2, undefined)).toBeUndefined();
});
