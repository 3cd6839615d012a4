import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { madeGitIndex } from '../../../test/disk/git-index.ts';
import { trackedPaths } from './git-index.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-git-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('what is no index, or one of another form, says nothing', () => {
  const index = madeGitIndex(['a', 'b/c']);
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
