import { expect, test } from 'vitest';
import { mayCommit, saidCommits } from './said-commits.ts';

const said = (output: string) => saidCommits(output, (text) => text);

test('commits, also those of a rebase and without a branch, are read from what git prints', () => {
  const output = `hook ran\n[main (root-commit) 1a2b3c4] fix: the parser\n 1 file changed\n[detached HEAD e1a0f76] Add stanzas\n[feat/x 0123456789abcdef0123456789abcdef01234567] docs: x`;
  expect(said(output)).toEqual([
    { hash: '1a2b3c4', subject: 'fix: the parser' },
    { hash: 'e1a0f76', subject: 'Add stanzas' },
    { hash: '0123456789abcdef0123456789abcdef01234567', subject: 'docs: x' },
  ]);
  expect(said('[12:30:01] started\n[INFO] compiled\nCreated [main 1a2b3c4] x')).toEqual([]);
});

test.each([
  ['git commit -m x', true],
  ['git -C /srv/app commit --amend --no-edit', true],
  ['cd a && GIT_EDITOR=true git rebase --continue', true],
  ['git cherry-pick abc', true],
  ['git log --oneline', false],
  ['git status; echo commit', false],
])('%s may commit: %s', (command, may) => {
  expect(mayCommit(command)).toBe(may);
});
