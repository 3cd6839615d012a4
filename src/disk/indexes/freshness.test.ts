import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, scan } from '../../../test/disk/made-tree.ts';
import { uint32At } from '../../contract/at.ts';
import { folderAt, rowOfPath } from '../tree/tree-nodes.ts';
import { MARK, Marks } from '../watch/folder-marks.ts';
import { freshnessOf, freshnessText } from './freshness.ts';

test('a folder is as fresh as what is below it, whatever changed beside it', async () => {
  const root = emptyFolder();
  for (const folder of ['quiet/inner', 'busy/inner', 'linked'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'linked/name'), 'x');
  linkSync(join(root, 'linked/name'), join(emptyFolder(), 'name outside'));
  const tree = await scan(root);
  const at = (path: string) => rowOfPath(tree, join(root, path));
  const marks = new Marks();
  for (const row of tree.dirRow) marks.add(uint32At(tree.id, row), MARK.watched);
  for (const path of ['busy', 'busy/inner']) marks.add(uint32At(tree.id, at(path)), MARK.changed);
  const textOf = (path: string) =>
    freshnessText(freshnessOf(tree, marks, 0, folderAt(tree, at(path))), tree.meta.scannedAt);

  expect(textOf('')).toBe('0s ago, 2 folders changed since');
  expect(textOf('busy')).toBe('0s ago, 2 folders changed since');
  expect(textOf('busy/inner')).toBe('0s ago, 1 folder changed since');
  expect(textOf('quiet')).toBe('now, every change is seen');
  // A file with a name elsewhere can be written through it.
  expect(textOf('linked')).toBe('0s ago');
});
