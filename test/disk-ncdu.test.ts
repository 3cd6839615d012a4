import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportNcdu, importNcdu } from '../src/disk/ncdu.ts';
import { nameOf } from '../src/disk/tree/nodes.ts';
import { emptyFolder, madeTree, scan } from './disk/made-tree.ts';

const tree = await scan(madeTree());
const text = [...exportNcdu(tree, '0.0.0')].join('');

test('what is imported has the same rows, sizes and hard links as what was exported', () => {
  const back = importNcdu(text, 1);
  expect(back.meta).toMatchObject({ root: tree.meta.root, nodes: tree.meta.nodes, dirs: tree.meta.dirs });
  for (const column of [
    'parent',
    'size',
    'blocks',
    'mtime',
    'ext',
    'dirDisk',
    'dirSize',
    'dirAllFiles',
    'dirDirs',
    'linkRow',
    'linkCount',
  ] as const) {
    expect({ [column]: [...back[column]] }).toEqual({ [column]: [...tree[column]] });
  }
  for (let row = 0; row < tree.meta.nodes; row++) expect(nameOf(back, row)).toBe(nameOf(tree, row));
});

test.runIf(existsSync('/usr/bin/ncdu'))('ncdu exports are read, with the same totals', () => {
  const file = join(emptyFolder(), 'export.json');
  execFileSync('ncdu', ['-0', '-x', '-o', file, tree.meta.root]);
  const back = importNcdu(execFileSync('cat', [file], { encoding: 'latin1' }), 1);
  expect(back.meta.nodes).toBe(tree.meta.nodes);
  expect(back.dirDisk[0]).toBe(tree.dirDisk[0]);
});

test.runIf(existsSync('/usr/bin/ncdu'))('ncdu reads our exports', () => {
  const file = join(emptyFolder(), 'ours.json');
  writeFileSync(file, text);
  const again = execFileSync('ncdu', ['-0', '-f', file, '-o', '-'], { encoding: 'utf8' });
  expect(importNcdu(again, 1).dirDisk[0]).toBe(tree.dirDisk[0]);
});

test.each([
  ['{', /not JSON/],
  ['[]', /not an ncdu export/],
  ['[2,0,{},[{"name":"/"}]]', /not an ncdu export/],
  ['[1,2,{},[{"name":"/"},{"asize":5}]]', /without a name/],
  ['[1,2,{},[{"name":"/"},{"name":"x","asize":-5}]]', /wrong numbers/],
])('%s is refused in words', (wrong, message) => {
  expect(() => importNcdu(wrong, 1)).toThrow(message);
});
