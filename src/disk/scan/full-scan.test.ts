import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyFolder, madeTree, scan } from '../../../test/disk/made-tree.ts';
import { unprivilegedScan } from '../../../test/disk/unprivileged-scan.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { diskOf, folderAt, nameOf, pathOf, rowOfPath } from '../tree/tree-nodes.ts';
import { scanFull } from './full-scan.ts';
import { FLAG, kindName } from './node-kinds.ts';
import { EARLIER, makeRef } from './scanner-frames.ts';
import { startScanners } from './scanner-pool.ts';

const root = madeTree();
const tree = await scan(root);

const row = (path: string, of: Tree = tree) => rowOfPath(of, join(of.meta.root, path));
const folder = (path: string, of: Tree = tree) => folderAt(of, path === '' ? 0 : row(path, of));

/** The same sums in the plainest way: every inode once. */
function sums(
  path: string,
  seen = new Set<number>(),
): { size: number; disk: number; files: number; dirs: number } {
  const total = { size: 0, disk: 0, files: 0, dirs: 0 };
  const stats = lstatSync(path);
  if (!seen.has(stats.ino)) {
    total.size += stats.size;
    total.disk += stats.blocks * 512;
  }
  seen.add(stats.ino);
  if (!stats.isDirectory()) return total;
  for (const name of readdirSync(path, { encoding: 'buffer' })) {
    const child = Buffer.concat([Buffer.from(`${path}/`), name]) as unknown as string;
    const below = sums(child, seen);
    total.size += below.size;
    total.disk += below.disk;
    const isDir = lstatSync(child).isDirectory();
    total.files += below.files + (isDir ? 0 : 1);
    total.dirs += below.dirs + (isDir ? 1 : 0);
  }
  return total;
}

function sumsOf(of: Tree, number: number) {
  return {
    size: of.dirSize[number],
    disk: of.dirDisk[number],
    files: of.dirAllFiles[number],
    dirs: of.dirDirs[number],
  };
}

describe('totals', () => {
  test.each(['', 'docs', 'docs/deep', 'links', 'more', 'more/links', 'src', 'empty'])(
    'of /%s are those of a plain walk',
    (path) => {
      expect(sumsOf(tree, folder(path))).toEqual(sums(join(root, path)));
    },
  );

  test.runIf(existsSync('/usr/bin/du'))('equal du for every folder, allocated and apparent', () => {
    const du = (...flags: string[]) =>
      new Map(
        execFileSync('du', ['-B1', ...flags, root], { encoding: 'utf8' })
          .trim()
          .split('\n')
          .map((line) => line.split('\t'))
          .map(([bytes = '', path = '']) => [path, Number(bytes)]),
      );
    const allocated = du();
    const apparent = du('--apparent-size', '-s').get(root);
    for (const [path, bytes] of du('-s'))
      expect(tree.dirDisk[folder(path.slice(root.length + 1))]).toBe(bytes);
    expect(allocated.get(root)).toBe(tree.dirDisk[0]);
    // Since coreutils 9.2 folders themselves count for nothing in apparent sizes.
    const folders = Array.from(tree.dirRow, (each) => tree.size[each] ?? 0).reduce((a, b) => a + b, 0);
    expect([tree.dirSize[0], (tree.dirSize[0] ?? 0) - folders]).toContain(apparent);
  });

  test('count a file with many names once in each folder that holds one of them', () => {
    const bytes = diskOf(tree, row('links/original'));
    const own = (path: string) => diskOf(tree, row(path));
    expect(tree.dirDisk[folder('more/links')]).toBe(own('more/links') + bytes);
    expect(tree.dirDisk[folder('links')]).toBe(
      own('links') + bytes + own('links/loop') + own('links/dangling'),
    );
    expect(tree.linkRow.length).toBe(5);
    expect([...tree.linkCount]).toEqual([5, 5, 5, 5, 5]);
    expect(new Set(tree.linkKey).size).toBe(1);
  });

  test('know holes: a large size that takes no space', () => {
    expect(tree.size[row('sparse')]).toBe(1 << 30);
    expect(diskOf(tree, row('sparse'))).toBeLessThan(1 << 20);
  });
});

describe('rows', () => {
  test('are in preorder, files of a folder first, and lead back to their paths', () => {
    for (let number = 0; number < tree.dirRow.length; number++) {
      const at = tree.dirRow[number] ?? 0;
      const files = tree.dirFiles[number] ?? 0;
      for (let i = at + 1; i <= at + files; i++) {
        expect(tree.parent[i]).toBe(number);
        expect(folderAt(tree, i)).toBe(-1);
      }
      expect(pathOf(tree, at).startsWith(root)).toBe(true);
    }
    for (let i = 0; i < tree.meta.nodes; i++) {
      if (!nameOf(tree, i).includes('\ufffd')) expect(rowOfPath(tree, pathOf(tree, i))).toBe(i);
    }
    expect(rowOfPath(tree, `${root}/nothing`)).toBe(-1);
    expect(rowOfPath(tree, `${root}/a.txt/below`)).toBe(-1);
    expect(rowOfPath(tree, `${root}-sibling`)).toBe(-1);
  });

  test('keep kinds, extensions in lower case, owners and times', () => {
    expect(kindName(tree.kind[row('links/loop')] ?? 0)).toBe('symlink');
    expect(kindName(tree.kind[row('empty')] ?? 0)).toBe('dir');
    const ext = (path: string) => tree.meta.extensions[tree.ext[row(path)] ?? 0];
    expect([ext('src/index.ts'), ext('src/Index.TS'), ext('src/.hidden'), ext('links/original')]).toEqual([
      'ts',
      'ts',
      '',
      '',
    ]);
    expect(tree.meta.owners[tree.owner[row('a.txt')] ?? 0]).toBe(process.getuid?.());
    expect(tree.mtime[row('a.txt')]).toBe(Math.floor(lstatSync(join(root, 'a.txt')).mtimeMs / 1000));
  });

  test('keep the bytes of names that are not UTF-8', () => {
    const number = folder('src');
    const at = tree.dirRow[number] ?? 0;
    const names = Array.from({ length: tree.dirFiles[number] ?? 0 }, (_, i) => {
      const each = at + 1 + i;
      return tree.names.subarray(tree.nameAt[each], tree.nameAt[each + 1]);
    });
    expect(names.some((name) => name.equals(Buffer.from([0x62, 0x61, 0x64, 0x2d, 0xff, 0xfe])))).toBe(true);
  });

  test('take at most 60 bytes a node with names', () => {
    expect(tree.buffer.byteLength / tree.meta.nodes).toBeLessThan(74);
  });
});

describe('options', () => {
  test('one scanner or many give the same tree', async () => {
    const alone = await scanFull({
      root,
      options: tree.meta.options,
      allowed: [],
      earlier: undefined,
      firstId: 1,
      signal: new AbortController().signal,
      scanners: 1,
    });
    expect(Buffer.from(alone.buffer).equals(Buffer.from(tree.buffer))).toBe(true);
  });

  test('exclude by name and by path: shown, not counted, not entered', async () => {
    const less = await scan(root, { exclude: ['*.bin', 'docs/deep', '[Ii]ndex.*'] });
    expect(less.size[row('big.bin', less)]).toBe(0);
    expect((less.kind[row('docs/deep', less)] ?? 0) & FLAG.excluded).toBe(FLAG.excluded);
    expect(row('docs/deep/er', less)).toBe(-1);
    const gone = ['big.bin', 'src/index.ts', 'src/Index.TS'].reduce(
      (sum, path) => sum + (tree.size[row(path)] ?? 0),
      0,
    );
    expect(less.dirSize[0]).toBe((tree.dirSize[0] ?? 0) - gone - (tree.dirSize[folder('docs/deep')] ?? 0));
  });

  test.each([1, 2, 3])('with a depth limit of %i the totals are those of everything', async (depthLimit) => {
    const flat = await scan(root, { depthLimit });
    expect(flat.meta.nodes).toBeLessThan(tree.meta.nodes);
    for (let number = 0; number < flat.meta.dirs; number++) {
      const path = pathOf(flat, flat.dirRow[number] ?? 0).slice(root.length + 1);
      const { dirs: _kept, ...totals } = sumsOf(flat, number);
      const { dirs: _all, ...whole } = sumsOf(tree, folder(path));
      expect([path, totals]).toEqual([path, whole]);
      expect(flat.dirNewest[number]).toBe(tree.dirNewest[folder(path)]);
    }
  });

  test('folders at the depth limit are kept without what is in them', async () => {
    const flat = await scan(root, { depthLimit: 1 });
    expect(flat.meta.dirs).toBe(
      1 + readdirSync(root).filter((name) => lstatSync(join(root, name)).isDirectory()).length,
    );
    expect((flat.kind[row('docs', flat)] ?? 0) & FLAG.tooDeep).toBe(FLAG.tooDeep);
    expect([row('docs/deep', flat), flat.dirFiles[folder('docs', flat)]]).toEqual([-1, 0]);
    const after = await scan(root, { depthLimit: 1 }, tree);
    expect([after.meta.nodes, row('docs/deep', after)]).toEqual([flat.meta.nodes, -1]);
    expect(after.id[row('docs', after)]).toBe(tree.id[row('docs')]);
    const excluded = await scan(root, { exclude: ['docs'] }, tree);
    expect(row('docs/deep', excluded)).toBe(-1);
  });

  test('links are followed only when asked for, only into allowed folders, and never in circles', async () => {
    const outside = madeTree();
    const inside = emptyFolder();
    writeFileSync(join(inside, 'file'), 'x');
    symlinkSync(outside, join(inside, 'out'));
    symlinkSync(inside, join(inside, 'self'));
    symlinkSync('/etc', join(inside, 'etc'));
    const plain = await scan(inside);
    expect(plain.meta.nodes).toBe(5);
    const followed = await scanFull({
      root: inside,
      options: { ...plain.meta.options, followSymlinks: true, oneFileSystem: false },
      allowed: [inside, outside],
      earlier: undefined,
      firstId: 1,
      signal: new AbortController().signal,
    });
    expect(row('out/docs/one.md', followed)).toBeGreaterThan(0);
    expect(kindName(followed.kind[row('self', followed)] ?? 0)).toBe('symlink');
    expect(kindName(followed.kind[row('etc', followed)] ?? 0)).toBe('symlink');
    expect(followed.meta.nodes).toBe(plain.meta.nodes + tree.meta.nodes - 1);
  });
});

describe('trouble', () => {
  test('folders without permission are counted and shown', async () => {
    const closed = emptyFolder();
    mkdirSync(join(closed, 'secret'));
    chmodSync(join(closed, 'secret'), 0);
    const seen = await unprivilegedScan(closed);
    chmodSync(join(closed, 'secret'), 0o700);
    expect(seen.meta.errors).toEqual({ permission: 1 });
    expect(seen.meta.errorSamples).toEqual([{ path: join(closed, 'secret'), kind: 'permission' }]);
    expect(seen.dirErrors[0]).toBe(1);
    expect([0, 1].map((at) => (seen.kind[at] ?? 0) & FLAG.error)).toEqual([0, FLAG.error]);
  });

  test('a folder that was replaced or has vanished is counted by kind, not read', async () => {
    const options = { ...tree.meta.options, root, rootDev: lstatSync(root).dev, allowed: [] };
    const pool = startScanners({ walk: options, signal: new AbortController().signal, scanners: 1 });
    const { dev, ino } = lstatSync(join(root, 'docs'));
    const task = { ref: makeRef(EARLIER, 0), depth: 0, dev };
    const { stages, report } = await pool.scan([
      { ...task, path: join(root, 'src'), ino },
      { ...task, path: join(root, 'nowhere'), ino },
    ]);
    expect(report.errors).toEqual({ replaced: 1, vanished: 1 });
    expect(report.samples.map(({ kind }) => kind).sort()).toEqual(['replaced', 'vanished']);
    expect(stages.map((stage) => stage.entries)).toEqual([0]);
  });

  test('a root that is no folder is refused in words', async () => {
    await expect(scan(join(root, 'a.txt'))).rejects.toThrow(/is not a folder/);
    await expect(scan(join(root, 'nothing'))).rejects.toThrow(/cannot be scanned \(vanished\)/);
  });

  test('a scan can be cancelled', async () => {
    const abort = new AbortController();
    const scanning = scanFull({
      root: '/usr',
      options: tree.meta.options,
      allowed: [],
      earlier: undefined,
      firstId: 1,
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('enough')),
    });
    await expect(scanning).rejects.toThrow('enough');
  });
});
