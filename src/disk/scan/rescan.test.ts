import { appendFileSync, cpSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyFolder, madeTree, rescanOf, scan } from '../../../test/disk/made-tree.ts';
import { expectSame } from '../../../test/disk/same-tree.ts';
import { filePath } from '../tree/folder-paths.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { nameOf, pathOf, rowOfPath } from '../tree/tree-nodes.ts';
import { MARK, Marks } from '../watch/folder-marks.ts';
import { sameFile } from '../watch/same-content.ts';
import { factReader } from './file-facts.ts';
import { rescan } from './rescan.ts';

const idOf = (tree: Tree, path: string) => tree.id[rowOfPath(tree, path)];

/** Makes everything look older than the scan, as after some time: what is recent is always read again. */
function aged(tree: Tree): Tree {
  return { ...tree, meta: { ...tree.meta, scannedAt: Date.now() + 60_000 } };
}

describe('rescan', () => {
  test('without changes reads nothing and keeps the generation', async () => {
    const root = madeTree();
    const tree = aged(await scan(root));
    const again = await rescan({ ...rescanOf(tree), fileMs: 0 });
    expect(again).toMatchObject({ changed: false, foldersRead: 0 });
    expect(again.tree.meta.generation).toBe(tree.meta.generation);
    expect(again.tree.buffer).toBe(tree.buffer);
  });

  test('reads a folder again that changed shortly before the scan', async () => {
    const tree = await scan(madeTree());
    expect((await rescan(rescanOf(tree))).foldersRead).toBe(tree.meta.dirs);
  });

  test('finds what came, went, moved and grew, and keeps every id', async () => {
    const root = madeTree();
    const first = await scan(root);
    const kept = idOf(first, join(root, 'docs/deep/er/and/deeper/leaf.log'));
    writeFileSync(join(root, 'src/new.ts'), 'new');
    mkdirSync(join(root, 'fresh/tree'), { recursive: true });
    writeFileSync(join(root, 'fresh/tree/leaf'), 'x'.repeat(9_999));
    rmSync(join(root, 'empty'), { recursive: true });
    renameSync(join(root, 'docs/deep'), join(root, 'src/moved'));
    renameSync(join(root, 'a.txt'), join(root, 'b.txt'));
    appendFileSync(join(root, 'big.bin'), 'y'.repeat(100_000));
    const { tree: second, changed } = await rescan(rescanOf(first));
    expect(changed).toBe(true);
    expect(second.meta.generation).toBe(2);
    expect(rowOfPath(second, join(root, 'empty'))).toBe(-1);
    expect(idOf(second, join(root, 'src/moved/er/and/deeper/leaf.log'))).toBe(kept);
    expect(idOf(second, join(root, 'src/moved'))).toBe(idOf(first, join(root, 'docs/deep')));
    expect(idOf(second, join(root, 'b.txt'))).toBe(idOf(first, join(root, 'a.txt')));
    expect(idOf(second, join(root, 'fresh'))).toBeGreaterThanOrEqual(first.meta.nextId);
    expect(second.size[rowOfPath(second, join(root, 'big.bin'))]).toBe(400_000);
    expectSame(second, await scan(root, {}, second));
  });

  test('ids are never given out twice', async () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'one'), '1');
    const first = await scan(root);
    rmSync(join(root, 'one'));
    const second = (await rescan(rescanOf(first))).tree;
    writeFileSync(join(root, 'two'), '22');
    utimesSync(join(root, 'two'), 1, 1);
    const third = (await rescan(rescanOf(second))).tree;
    expect(third.id.at(-1)).toBe(first.meta.nextId);
    expect(idOf(third, join(root, 'two'))).not.toBe(idOf(first, join(root, 'one')));
  });

  test('a change inside a file is found when the file is recent, and what was not looked at is said', async () => {
    const root = emptyFolder();
    mkdirSync(join(root, 'a'));
    writeFileSync(join(root, 'a/hot.log'), 'start');
    writeFileSync(join(root, 'a/cold.db'), 'start');
    utimesSync(join(root, 'a/cold.db'), 1_000_000_000, 1_000_000_000);
    const first = aged(await scan(root));
    appendFileSync(join(root, 'a/hot.log'), ' and more');
    const quick = await rescan({ ...rescanOf(first), fileMs: 0 });
    expect(quick).toMatchObject({ changed: false, filesUnchecked: 2 });
    const looked = await rescan(rescanOf(first));
    expect(looked).toMatchObject({ changed: true, foldersRead: 1, filesUnchecked: 1 });
    expect(looked.tree.size[rowOfPath(looked.tree, join(root, 'a/hot.log'))]).toBe(14);
  });

  test('a folder that something was heard of is read whatever its times say', async () => {
    const root = madeTree();
    const first = aged(await scan(root));
    appendFileSync(join(root, 'docs/one.md'), 'in place');
    const marks = new Marks();
    marks.add(idOf(first, join(root, 'docs')) ?? 0, MARK.changed);
    const { tree, foldersRead } = await rescan({ ...rescanOf(first), fileMs: 0, marks: marks.take() });
    expect(foldersRead).toBe(1);
    expect(tree.size[rowOfPath(tree, join(root, 'docs/one.md'))]).toBe(1_008);
  });

  test('a root that was replaced is read as a whole', async () => {
    const root = madeTree();
    const first = aged(await scan(root));
    renameSync(root, `${root}-old`);
    cpSync(`${root}-old/docs`, root, { recursive: true });
    const { tree } = await rescan(rescanOf(first));
    rmSync(`${root}-old`, { recursive: true });
    expect(rowOfPath(tree, join(root, 'one.md'))).toBeGreaterThan(0);
    expectSame(tree, await scan(root, {}, tree));
  });

  test('any changes: the same tree as a full scan', async () => {
    const root = emptyFolder();
    let tree = await scan(root);
    const name = fc.constantFrom('a', 'b', 'c', 'd.ts', 'e.log');
    const change = fc.record({
      action: fc.constantFrom('file', 'file', 'dir', 'dir', 'remove', 'rename'),
      path: fc.array(name, { minLength: 1, maxLength: 4 }),
      other: fc.array(name, { minLength: 1, maxLength: 3 }),
      bytes: fc.nat(10_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        for (const { action, path, other, bytes } of changes) {
          const at = join(root, ...path);
          try {
            if (action === 'remove') rmSync(at, { recursive: true, force: true });
            else if (action === 'rename') renameSync(at, join(root, ...other));
            else if (action === 'dir') mkdirSync(at, { recursive: true });
            else writeFileSync(at, 'x'.repeat(bytes));
          } catch {
            // A folder where a file is wanted, or the other way round: another change will do.
          }
        }
        const before = tree;
        tree = (await rescan(rescanOf(tree))).tree;
        expectSame(tree, await scan(root, {}, tree));
        const rows = [...tree.id.keys()].filter((row) => row > 0);
        expect(new Set(tree.id).size).toBe(tree.id.length);
        for (const row of rows) {
          const was = rowOfPath(before, pathOf(tree, row));
          if (was < 0 || before.kind[was] !== tree.kind[row]) continue;
          expect(`${nameOf(tree, row)} ${tree.id[row]}`).toBe(`${nameOf(before, was)} ${before.id[was]}`);
        }
      }),
      { numRuns: 12 },
    );
  });
});

test('a file from before 1970 or after 2106 is no change', async () => {
  const root = emptyFolder();
  for (const [name, seconds] of [
    ['before', -1_000_000_000],
    ['after', 5_000_000_000],
  ] as const) {
    writeFileSync(join(root, name), 'x');
    utimesSync(join(root, name), seconds, seconds);
  }
  const scanned = await scan(root);
  const read = factReader();
  expect([1, 2].map((row) => sameFile(scanned, row, read(filePath(scanned, row, root))))).toEqual([
    true,
    true,
  ]);
});
