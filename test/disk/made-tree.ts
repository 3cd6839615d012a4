import { linkSync, mkdirSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scanFull } from '../../src/disk/scan/full-scan.ts';
import type { ScanOptions, Tree } from '../../src/disk/tree/tree-columns.ts';
import { temporaryFolder } from '../support.ts';

/** An empty folder that is removed after the tests of the file. */
export function emptyFolder(): string {
  return realpathSync(temporaryFolder());
}

/** A small tree with everything that makes sizes hard: hard links, sparse files, loops, odd names, deep and empty folders. */
export function madeTree(root = emptyFolder()): string {
  const put = (path: string, bytes: number) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), 'x'.repeat(bytes));
  };
  put('a.txt', 5);
  put('big.bin', 300_000);
  put('docs/one.md', 1_000);
  put('docs/two.md', 5_000);
  put('docs/deep/er/and/deeper/leaf.log', 12_345);
  put('src/index.ts', 777);
  put('src/Index.TS', 778);
  put('src/.hidden', 10);
  put('src/name with "quotes" and ünïcödé 漢字 🙂.txt', 42);
  mkdirSync(join(root, 'empty/emptier'), { recursive: true });
  put('links/original', 50_000);
  for (let i = 0; i < 3; i++) linkSync(join(root, 'links/original'), join(root, 'links', `same${i}`));
  mkdirSync(join(root, 'more/links'), { recursive: true });
  linkSync(join(root, 'links/original'), join(root, 'more/links/elsewhere'));
  symlinkSync(root, join(root, 'links/loop'));
  symlinkSync('/nonexistent/place', join(root, 'links/dangling'));
  writeFileSync(join(root, 'sparse'), '');
  truncateSync(join(root, 'sparse'), 1 << 30);
  writeFileSync(Buffer.concat([Buffer.from(`${root}/src/bad-`), Buffer.from([0xff, 0xfe])]), 'not utf-8');
  return root;
}

const OPTIONS: ScanOptions = {
  followSymlinks: false,
  oneFileSystem: true,
  depthLimit: undefined,
  exclude: [],
};

/** Scans a folder with the default options and the given changes. */
export function scan(root: string, changes: Partial<ScanOptions> = {}, earlier?: Tree): Promise<Tree> {
  return scanFull({
    root,
    options: { ...OPTIONS, ...changes },
    allowed: [],
    earlier,
    firstId: 1,
    signal: new AbortController().signal,
  });
}

/** Rescan options with the defaults. */
export const rescanOf = (earlier: Tree) => ({
  root: earlier.meta.root,
  options: earlier.meta.options,
  allowed: [],
  earlier,
  firstId: 1,
  signal: new AbortController().signal,
  marks: new Uint8Array(0),
  fileMs: 1_000,
});
