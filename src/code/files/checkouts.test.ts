import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support.ts';
import { otherCheckouts } from './checkouts.ts';

it('every checkout of a repository knows the others', () => {
  const folder = realpathSync(temporaryFolder());
  const at = (name: string) => join(folder, name);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', at('main'), '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args]);
  mkdirSync(at('main'));
  git('init', '--quiet');
  writeFileSync(at('main/a.ts'), 'export const a = 1;\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  expect(otherCheckouts(at('main'))).toEqual([]);
  git('worktree', 'add', '--quiet', at('one'), '-b', 'one');
  git('worktree', 'add', '--quiet', at('two'), '-b', 'two');
  expect(otherCheckouts(at('main')).sort()).toEqual([at('one'), at('two')]);
  expect(otherCheckouts(at('one'))).toEqual([at('main'), at('two')]);
  rmSync(at('two'), { recursive: true });
  expect(otherCheckouts(at('one'))).toEqual([at('main')]);
  mkdirSync(at('none'));
  expect(otherCheckouts(at('none'))).toEqual([]);
});
