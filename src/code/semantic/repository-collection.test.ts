import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support.ts';
import { holdsRepositories } from './repository-collection.ts';

function folderWith(...folders: string[]): string {
  const folder = temporaryFolder();
  for (const one of folders) mkdirSync(join(folder, one), { recursive: true });
  return folder;
}

it('sees repositories and worktrees below a folder, also by owner', () => {
  expect(holdsRepositories(folderWith('a/.git', 'b/.git'))).toBe(true);
  expect(holdsRepositories(folderWith('one/a/.git', 'two/b/.git'))).toBe(true);
  const worktrees = folderWith('main/.git', 'fix');
  writeFileSync(join(worktrees, 'fix', '.git'), 'gitdir: ../main/.git/worktrees/fix\n');
  expect(holdsRepositories(worktrees)).toBe(true);
});

it('takes a repository with others inside for one, and so its folders', () => {
  const folder = folderWith('.git', 'vendor/a/.git', 'vendor/b/.git');
  expect(holdsRepositories(folder)).toBe(false);
  expect(holdsRepositories(join(folder, 'vendor'))).toBe(false);
});

it('takes one repository, none, or a missing folder for no collection', () => {
  expect(holdsRepositories(folderWith('a/.git', 'b/src'))).toBe(false);
  expect(holdsRepositories(folderWith('src/deep'))).toBe(false);
  expect(holdsRepositories(join(folderWith(), 'missing'))).toBe(false);
});
