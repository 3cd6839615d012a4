import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, madeTree, scan } from '../../../test/disk/made-tree.ts';
import { KIND, KIND_MASK } from '../scan/node-kinds.ts';
import { nameOf, rowOfPath } from '../tree/tree-nodes.ts';
import { exportNcdu } from './ncdu-export.ts';
import { importNcdu as importAt } from './ncdu-import.ts';

const NOW = 1_700_000_000_000;
const importNcdu = (text: string, firstId: number) => importAt(text, firstId, NOW);
const made = (...below: unknown[]) =>
  importNcdu(JSON.stringify([1, 2, { timestamp: 1_600_000_000 }, [{ name: '/m', dev: 1 }, ...below]]), 1);

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
  ['{', /not valid JSON/],
  ['[]', /not an ncdu export/],
  ['[2,0,{},[{"name":"/"}]]', /not an ncdu export/],
  ['[1,2,{},[{"name":"/"},{"asize":5}]]', /without a name/],
  ['[1,2,{},[{"name":"/"},{"name":"x","asize":-5}]]', /invalid numbers/],
  ['[1,2,{},[{"name":"/"},[]]]', /without a name/],
  ['[1,2,{},[{"name":"/"},{"name":"a/b"}]]', /invalid file name/],
  ['[1,2,{},[{"name":"/"},[{"name":".."}]]]', /invalid file name/],
])('%s is refused in words', (wrong, message) => {
  expect(() => importNcdu(wrong, 1)).toThrow(message);
});

test('an inode number is one file on one device only', () => {
  const linked = { ino: 7, hlnkc: true, asize: 100, dsize: 512 };
  const { dirSize, dirAllFiles } = made(
    { name: 'a', ...linked },
    { name: 'b', ...linked },
    [{ name: 'mounted', dev: 2 }, { name: 'c', ...linked }, [{ name: 'below' }, { name: 'd', ...linked }]],
    [{ name: 'same device' }, { name: 'e', ...linked }],
  );
  expect([dirSize[0], dirAllFiles[0]]).toEqual([200, 5]);
});

test('what could not be read is counted in every folder around it', () => {
  const { dirErrors } = made([{ name: 'sub', read_error: true }], { name: 'x', read_error: true });
  expect([...dirErrors]).toEqual([2, 1]);
});

test('links, times with fractions and times that no index can keep', () => {
  const back = made(
    { name: 'link', notreg: true, mode: 0o120777, mtime: 1_500_000_000.75 },
    { name: 'early', mtime: -5 },
    { name: 'late', mtime: 1e18 },
  );
  const at = (name: string) => rowOfPath(back, `/m/${name}`);
  expect((back.kind[at('link')] ?? 0) & KIND_MASK).toBe(KIND.symlink);
  expect(['link', 'early', 'late'].map((name) => back.mtime[at(name)])).toEqual([
    1_500_000_000, 0, 0xffffffff,
  ]);
});

test.each([
  ['{"timestamp":1600000000}', 1_600_000_000_000],
  ['{"timestamp":1e30}', NOW],
  ['{"timestamp":"yesterday"}', NOW],
  ['{}', NOW],
  ['7', NOW],
])('an export that says %s was made at %d', (about, time) => {
  expect(importNcdu(`[1,2,${about},[{"name":"/m"},{"name":"x"}]]`, 1).meta.scannedAt).toBe(time);
});

test('folders with very many folders, and very deep ones', () => {
  const wide = `[1,2,{},[{"name":"/m"}${',[{"name":"d"}]'.repeat(150_000)}]]`;
  expect(importNcdu(wide, 1).meta.dirs).toBe(150_001);
  const deep = `[1,2,{},[{"name":"/m"}${',[{"name":"d"}'.repeat(5_000)}${']'.repeat(5_001)}]`;
  expect(importNcdu(`\ufeff${deep}`, 1).meta.dirs).toBe(5_001);
});
