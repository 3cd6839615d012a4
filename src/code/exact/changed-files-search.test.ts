import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSearch } from '../../../test/fixtures/code/differential.ts';
import { writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { type OpenedCode, openedCode } from '../../../test/fixtures/code/open-code.ts';
import { temporaryFolder } from '../../../test/support.ts';

/* The next search after a change is right: with a watcher, without one, and after the process was away. */

let root = '';
let home = '';
let opened: OpenedCode;
beforeEach(() => {
  root = realpathSync(temporaryFolder());
  home = temporaryFolder();
});
afterEach(() => opened.close());

const question = (pattern: string) => ({ pattern, insensitive: false, word: false, fixed: false });

/** `path:line` of every hit, and whether the answer is sure of itself. */
async function find(pattern: string): Promise<string[]> {
  const search = await openSearch(opened.code, root, question(pattern));
  const places: string[] = [];
  for await (const { path, hits } of search.hits()) places.push(...hits.map(({ line }) => `${path}:${line}`));
  expect(search.report.fresh).toBe(true);
  return places;
}

async function count(pattern: string): Promise<number> {
  let sum = 0;
  const search = await openSearch(opened.code, root, question(pattern));
  for await (const [, hits] of search.counts()) sum += hits;
  return sum;
}

const write = (path: string, text: string) => writeFileSync(join(root, path), text);

describe.each([
  ['watched', true],
  ['not watched', false],
])('%s', (_name, watch) => {
  /** Opens the tree, indexed, with the watch in place. */
  async function settle(files: Readonly<Record<string, string>>): Promise<void> {
    writeFiles(root, files);
    opened = await openedCode({ home, watch });
    await opened.index(root);
    for (let turn = 0; turn < 4; turn++) await find('settling');
  }

  /** The process ends and starts again; what happens meanwhile nobody saw. */
  async function away(act: () => void): Promise<void> {
    await opened.close(false);
    act();
    opened = await openedCode({ home, watch });
  }

  it('knows edits, additions, removals and renames', async () => {
    await settle({ 'a.c': 'needle\n', 'b.c': 'hay\n' });
    write('b.c', 'hay\nneedle\n');
    expect(await find('needle')).toEqual(['a.c:1', 'b.c:2']);
    write('c.c', 'needle\n');
    rmSync(join(root, 'a.c'));
    expect(await find('needle')).toEqual(['b.c:2', 'c.c:1']);
    mkdirSync(join(root, 'sub'));
    renameSync(join(root, 'c.c'), join(root, 'sub/d.c'));
    expect(await find('needle')).toEqual(['b.c:2', 'sub/d.c:1']);
    renameSync(join(root, 'sub'), join(root, 'other'));
    expect(await find('needle')).toEqual(['b.c:2', 'other/d.c:1']);
    renameSync(join(root, 'b.c'), join(root, 'B.c'));
    expect(await find('needle')).toEqual(['B.c:2', 'other/d.c:1']);
  });

  it('knows a file that became a folder, and back', async () => {
    await settle({ thing: 'needle\n', 'x.c': 'needle\n' });
    rmSync(join(root, 'thing'));
    mkdirSync(join(root, 'thing'));
    write('thing/inside.c', 'needle\n');
    expect(await find('needle')).toEqual(['thing/inside.c:1', 'x.c:1']);
    rmSync(join(root, 'thing'), { recursive: true });
    write('thing', 'a needle\n');
    expect(await find('needle')).toEqual(['thing:1', 'x.c:1']);
  });

  it('knows edits of the same size at the same time, and with the time set back', async () => {
    await settle({ 'a.c': 'needle one\n', 'b.c': 'haystack 1\n' });
    const { atime, mtime } = statSync(join(root, 'a.c'));
    write('a.c', 'haystack 1\n');
    write('b.c', 'needle one\n');
    utimesSync(join(root, 'a.c'), atime, mtime);
    utimesSync(join(root, 'b.c'), atime, mtime);
    expect(await find('needle')).toEqual(['b.c:1']);
    utimesSync(join(root, 'b.c'), new Date(0), new Date(0));
    write('c.c', 'needle one\n');
    utimesSync(join(root, 'c.c'), new Date(0), new Date(0));
    expect(await find('needle')).toEqual(['b.c:1', 'c.c:1']);
  });

  it('knows what changed while Pinhole was not running', async () => {
    await settle({ 'a.c': 'needle\n', 'b.c': 'hay\n', 'gone.c': 'needle\n', 'dir/d.c': 'needle\n' });
    const { atime, mtime } = statSync(join(root, 'a.c'));
    await away(() => {
      write('a.c', 'hidden\n');
      utimesSync(join(root, 'a.c'), atime, mtime);
      write('b.c', 'needle\n');
      rmSync(join(root, 'gone.c'));
      renameSync(join(root, 'dir'), join(root, 'dir2'));
    });
    expect(await find('needle')).toEqual(['b.c:1', 'dir2/d.c:1']);
  });

  it('shows lines as they are at that moment when files change during a search', async () => {
    const files = Array.from({ length: 400 }, (_none, index) => [
      `f${1000 + index}.c`,
      'needle one\n'.repeat(5),
    ]);
    await settle(Object.fromEntries(files));
    const search = await openSearch(opened.code, root, question('needle'));
    let seen = 0;
    for await (const { path, hits } of search.hits()) {
      if (seen === 0) {
        appendFileSync(join(root, 'f1399.c'), 'needle two\n');
        write('f1398.c', '\n\nneedle\n');
        rmSync(join(root, 'f1397.c'));
      }
      seen += hits.length;
      if (path === 'f1398.c') expect(hits.map(({ line }) => line)).toEqual([3]);
      expect(path).not.toBe('f1397.c');
    }
    expect(seen).toBe(397 * 5 + 6 + 1);
    expect(await count('needle')).toBe(397 * 5 + 6 + 1);
  });

  it('knows a checkout of another branch with 2,000 changed files', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: root,
        stdio: 'pipe',
      });
    const branch = (word: string) => {
      const files = Array.from({ length: 2000 }, (_none, index) => [
        `d${index % 50}/f${index}.c`,
        `int ${word}_${index};\n`,
      ]);
      writeFiles(root, Object.fromEntries(files));
      git('add', '.');
      git('commit', '-qm', word);
    };
    git('init', '-q', '-b', 'one');
    branch('first');
    git('checkout', '-qb', 'two');
    branch('second');
    await settle({});
    expect(await count('second_\\d+')).toBe(2000);
    git('checkout', '-q', 'one');
    expect(await count('second_\\d+')).toBe(0);
    expect(await count('first_\\d+')).toBe(2000);
    expect(await find('first_1999;')).toEqual(['d49/f1999.c:1']);
    await away(() => git('checkout', '-q', 'two'));
    expect(await find('first_1;')).toEqual([]);
    expect(await count('second_\\d+')).toBe(2000);
  });
});
