import { expect, test } from 'vitest';
import { plainRemote } from './git-remote.ts';

test.each([
  ['git@github.com:acme/api.git', 'github.com/acme/api'],
  ['https://github.com/acme/api', 'github.com/acme/api'],
  ['https://ann:secret@GitHub.com/acme/api.git/', 'github.com/acme/api'],
  ['ssh://git@git.example.com:2222/acme/api.git', 'git.example.com/acme/api'],
  ['work:acme/api.git', 'work/acme/api'],
  ['/srv/git/api.git', undefined],
  ['../api', undefined],
  ['C:/git/api', undefined],
])('%s is %s', (address, plain) => {
  expect(plainRemote(address)).toBe(plain);
});
