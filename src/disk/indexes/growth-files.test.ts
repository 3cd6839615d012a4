import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, madeTree, scan } from '../../../test/disk/made-tree.ts';
import { rowOfPath } from '../tree/tree-nodes.ts';
import { goneBetween, writeGrowth } from './growth-files.ts';

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
