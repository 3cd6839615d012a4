import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTrackedFiles, trackedPaths } from './git-index.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-git-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** An index of version 2 with these paths, and nothing true in it but their names. */
function madeIndex(paths: readonly string[]): Buffer {
  const head = Buffer.alloc(12);
  head.write('DIRC');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(paths.length, 8);
  const entries = paths.map((path) => {
    const name = Buffer.from(path);
    const entry = Buffer.alloc(Math.floor((62 + name.length + 8) / 8) * 8);
    entry.writeUInt16BE(name.length, 60);
    name.copy(entry, 62);
    return entry;
  });
  return Buffer.concat([head, ...entries, Buffer.alloc(20)]);
}

test('files of a repository are counted below a path', async () => {
  mkdirSync(join(root, '.git'));
  mkdirSync(join(root, 'src/deep'), { recursive: true });
  writeFileSync(join(root, '.git/index'), madeIndex(['a.txt', 'src/a.txt', 'src/deep/ü.ts', 'srcs/b']));
  expect(await createTrackedFiles(root)(join(root, 'src'))).toBe(2);
  expect(await createTrackedFiles(root)(join(root, 'src/deep/ü.ts'))).toBe(1);
  expect(await createTrackedFiles(root)(join(root, 'new.txt'))).toBe(0);
  // The repository lies above what may be looked at.
  expect(await createTrackedFiles(join(root, 'src'))(join(root, 'src/deep/ü.ts'))).toBeUndefined();
});

test('what is no index, or one of another form, says nothing', () => {
  const index = madeIndex(['a', 'b/c']);
  expect(trackedPaths(index)).toEqual(['a', 'b/c']);
  expect(trackedPaths(Buffer.from('no'))).toBeUndefined();
  expect(trackedPaths(index.subarray(0, 60))).toBeUndefined();
  index.writeUInt32BE(4, 4);
  expect(trackedPaths(index)).toBeUndefined();
});

const hasGit = (() => {
  try {
    return execFileSync('git', ['--version']).length > 0;
  } catch {
    return false;
  }
})();

test.runIf(hasGit)('an index that git wrote', () => {
  const folder = join(root, 'real');
  mkdirSync(join(folder, 'x'), { recursive: true });
  for (const name of ['one', 'x/two', 'x/a longer name.txt']) writeFileSync(join(folder, name), name);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
  git('init', '-q');
  git('add', '.');
  expect(trackedPaths(readFileSync(join(folder, '.git/index')))).toEqual([
    'one',
    'x/a longer name.txt',
    'x/two',
  ]);
});
