import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { madeGitIndex } from '../../../test/disk/git-index.ts';
import { hashBytes, trackedPaths } from './git-index.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-git-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('what is no index, or one of another form, says nothing', () => {
  const index = madeGitIndex(['a', 'b/c']);
  expect(trackedPaths(index)).toEqual(['a', 'b/c']);
  expect(trackedPaths(Buffer.from('no'))).toBeUndefined();
  expect(trackedPaths(index.subarray(0, 60))).toBeUndefined();
  index.writeUInt32BE(5, 4);
  expect(trackedPaths(index)).toBeUndefined();
});

test.each([2, 4] as const)('version %d, with hashes of either length', (version) => {
  const paths = ['a', 'b/c', 'b/cd', `d/${'long'.repeat(60)}/x`, 'e'];
  expect(trackedPaths(madeGitIndex(paths, version))).toEqual(paths);
  expect(trackedPaths(madeGitIndex(paths, version, 32), 32)).toEqual(paths);
  const index = madeGitIndex(paths, version);
  for (let end = 0; end < index.length - 20; end++)
    expect(trackedPaths(index.subarray(0, end))).toBeUndefined();
});

const hasGit = (() => {
  try {
    return execFileSync('git', ['--version']).length > 0;
  } catch {
    return false;
  }
})();

test.runIf(hasGit).each([
  ['2', 'sha1'],
  ['4', 'sha1'],
  ['4', 'sha256'],
])('an index of version %s with %s that git wrote', (version, format) => {
  const folder = join(root, `${version}-${format}`);
  mkdirSync(join(folder, 'x'), { recursive: true });
  for (const name of ['one', 'x/two', 'x/a longer name.txt']) writeFileSync(join(folder, name), name);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
  git('init', '-q', `--object-format=${format}`);
  git('config', 'index.version', version);
  git('add', '.');
  const config = readFileSync(join(folder, '.git/config'), 'utf8');
  expect(trackedPaths(readFileSync(join(folder, '.git/index')), hashBytes(config))).toEqual([
    'one',
    'x/a longer name.txt',
    'x/two',
  ]);
});
