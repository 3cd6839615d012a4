import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryRepository } from '../../../test/git.ts';
import { lineHashes } from '../line-hashes.ts';
import { listCommits, readChanges } from './read-commits.ts';

const { signal } = new AbortController();
const AT = '2026-03-01T10:00:00Z';

async function changesOf(root: string) {
  const heads = (await listCommits(root, 0, signal)) ?? [];
  const changes = [];
  for await (const change of readChanges(
    root,
    heads.map(({ hash }) => hash),
    signal,
  ))
    changes.push(change);
  return { heads, changes };
}

test('reads added and removed lines of files with any name, and lines that look like headers', async () => {
  const { root, write, commit } = await temporaryRepository();
  write('plain.txt', '-- a comment of SQL\nsecond line\n');
  write('with space.txt', 'spaces in the name\n');
  write('tab\tand "quotes" ü.txt', 'unusual characters in the name\n');
  write('image.bin', Buffer.from([0, 1, 2, 255]));
  commit('first', AT);
  write('plain.txt', '++ added like a header\nsecond line\n');
  commit('second', AT);
  const { heads, changes } = await changesOf(root);
  expect(heads.map(({ subject, author, authoredMs }) => [subject, author, authoredMs])).toEqual([
    ['second', 'Mia', Date.parse(AT)],
    ['first', 'Mia', Date.parse(AT)],
  ]);
  expect(changes[0]?.files).toEqual([
    {
      path: 'plain.txt',
      added: 1,
      removed: 1,
      addedLines: lineHashes(['++ added like a header']),
      removedLines: lineHashes(['-- a comment of SQL']),
    },
  ]);
  const names = changes[1]?.files.map(({ path, added }) => [path, added]);
  expect(names).toContainEqual(['with space.txt', 1]);
  expect(names).toContainEqual(['tab\tand "quotes" ü.txt', 1]);
});

test('a commit whose objects are missing has no files, and the others are read', async () => {
  const { root, git, write, commit } = await temporaryRepository();
  write('one.txt', 'first of all lines\n');
  commit('one', AT);
  write('two.txt', 'the line whose object is lost\n');
  commit('two', AT);
  const lost = git(['rev-parse', 'HEAD:two.txt']).trim();
  write('three.txt', 'third of all lines\n');
  commit('three', AT);
  rmSync(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)), { force: true });
  // Git would take the content from the file.
  write('two.txt', 'something else');
  const { changes } = await changesOf(root);
  expect(changes.map(({ files }) => files.map(({ path }) => path))).toEqual([['three.txt'], [], ['one.txt']]);
});

test('the settings of a repository start no program', async () => {
  const { root, git, write, commit } = await temporaryRepository();
  const witness = join(root, 'started');
  const program = join(root, 'program.sh');
  writeFileSync(program, `#!/bin/sh\necho started >> '${witness}'\ncat "$1" 2>/dev/null\n`);
  chmodSync(program, 0o755);
  write('.gitattributes', '*.txt diff=evil\n');
  write('a.txt', 'some line of text\n');
  commit('first', AT);
  for (const name of [
    'core.fsmonitor',
    'diff.external',
    'diff.evil.textconv',
    'diff.evil.command',
    'core.pager',
  ])
    git(['config', name, program]);
  const { changes } = await changesOf(root);
  expect(changes[0]?.files.map(({ path }) => path)).toContain('a.txt');
  expect(existsSync(witness)).toBe(false);
});

test('a folder that is no repository has no commits', async () => {
  expect(await listCommits('/', 0, signal)).toBeUndefined();
});
