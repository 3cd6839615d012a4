import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryWalker, walk } from './walk-tree.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-walk-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function statOf(start = root) {
  const files: string[] = [];
  const hidden: string[] = [];
  const linked: string[] = [];
  const unreadable: string[] = [];
  const worktrees: string[] = [];
  walk(start, {
    file: (file) => (file.hidden ? hidden : file.linked ? linked : files).push(file.path),
    folder: () => {},
    unreadable: (path) => unreadable.push(path),
    worktree: (path) => worktrees.push(path),
  });
  return { files: files.sort(), hidden: hidden.sort(), linked: linked.sort(), unreadable, worktrees };
}

const NOTHING_ELSE = { folder: () => {}, unreadable: () => {}, worktree: () => {} };

function ripgrepFiles(start = root): string[] {
  const out = execFileSync(rgPath, ['--files', '--no-config', './'], { cwd: start, encoding: 'utf8' });
  return out
    .split('\n')
    .filter(Boolean)
    .map((path) => path.replace(/^\.\//, ''))
    .sort();
}

describe('walk', () => {
  it('sees what ripgrep sees under ignore files at every level', () => {
    put({
      '.git/HEAD': 'ref: refs/heads/main',
      '.git/info/exclude': 'excluded.txt\n',
      '.gitignore':
        '*.log\nbuild/\n/only-top.txt\n!keep.log\n!.shown\n# comment\n\\#hash\ntrailing\\ \nsub/*.tmp\n**/deep/x\n',
      '.ignore': 'by-ignore.txt\n!rescued.log\n!by-rg.txt\nback.txt\n',
      '.rgignore': 'by-rg.txt\n!back.txt\n',
      'by-rg.txt': '',
      'back.txt': '',
      'lib/.ignore': 'by-rg.txt\n!by-rg.txt\n',
      'lib/by-rg.txt': '',
      'a.log': '',
      'keep.log': '',
      'rescued.log': '',
      'build/out.js': '',
      'lib/build/out.js': '',
      'only-top.txt': '',
      'lib/only-top.txt': '',
      'excluded.txt': '',
      'by-ignore.txt': '',
      '#hash': '',
      'trailing ': '',
      'sub/a.tmp': '',
      'sub/b/a.tmp': '',
      'q/deep/x': '',
      'q/deep/y': '',
      '.shown/in': '',
      '.hidden/in': '',
      'lib/.gitignore': '!a.log\nlocal\n',
      'lib/a.log': '',
      'lib/local': '',
      'nested/.git/HEAD': '',
      'nested/a.log': '',
    });
    const seen = statOf();
    expect(seen.files).toEqual(ripgrepFiles());
    expect(seen.files).toContain('.shown/in');
    expect(seen.hidden).toContain('.hidden/in');
    expect(statOf(join(root, 'lib')).files).toEqual(ripgrepFiles(join(root, 'lib')));
  });

  it('lets .gitignore hold only inside a repository, and .pinholeignore everywhere', () => {
    put({ '.gitignore': 'a\n', '.pinholeignore': 'b\n', a: '', b: '', c: '' });
    expect(statOf().files).toEqual(['a', 'c']);
  });

  it('enters a linked worktree of a repository that lies elsewhere', () => {
    put({
      'main/.git/HEAD': '',
      'main/a.c': '',
      'all/one/.git': `gitdir: ${root}/main/.git/worktrees/one\n`,
      'all/one/b.c': '',
      'all/bare.git/HEAD': '',
      'all/two/.git': `gitdir: ${root}/all/bare.git/worktrees/two\n`,
      'all/two/c.c': '',
    });
    expect(statOf(join(root, 'all')).files).toEqual(['bare.git/HEAD', 'one/b.c', 'two/c.c']);
    expect(statOf()).toEqual({
      files: ['all/bare.git/HEAD', 'all/two/c.c', 'main/a.c'],
      hidden: [],
      linked: ['all/one/b.c'],
      unreadable: [],
      worktrees: ['all/one'],
    });
  });

  it('reads braces, escaped ones, and a byte order mark in rules as ripgrep does', () => {
    put({
      '.git/HEAD': '',
      '.gitignore': '\ufeff*.{o,log}\nsrc/{a,b/c}.c\n\\{x,y\\}\n',
      'a.o': '',
      'a.log': '',
      'a.{o,log}': '',
      '{x,y}': '',
      x: '',
      'src/a.c': '',
      'src/b/c.c': '',
      'src/b.c': '',
    });
    expect(statOf().files).toEqual(ripgrepFiles());
    expect(statOf().files).toEqual(['a.{o,log}', 'src/b.c', 'x']);
  });

  it('marks the files of a linked worktree, also one by one, but not those of a submodule', () => {
    put({
      '.git/HEAD': '',
      'tree/.git': `gitdir: ${root}/.git/worktrees/tree\n`,
      'tree/a.ts': '',
      'module/.git': 'gitdir: ../.git/modules/module\n',
      'module/b.ts': '',
    });
    expect(statOf().files).toEqual(['module/b.ts']);
    expect(statOf().linked).toEqual(['tree/a.ts']);
    expect(statOf().worktrees).toEqual(['tree']);
    expect(statOf(join(root, 'tree')).files).toEqual(['a.ts']);
    const alone: (boolean | undefined)[] = [];
    const visitor = {
      ...NOTHING_ELSE,
      file: (file: { linked?: boolean | undefined }) => alone.push(file.linked),
    };
    for (const path of ['tree/a.ts', 'module/b.ts', 'tree']) entryWalker(root)(path, visitor);
    expect(alone).toEqual([true, false, true]);
  });

  it('does not follow links and survives loops of them', () => {
    put({ 'a/b.ts': '' });
    symlinkSync(root, join(root, 'a/loop'));
    symlinkSync(join(root, 'a/b.ts'), join(root, 'link.ts'));
    expect(statOf().files).toEqual(['a/b.ts']);
  });

  it('escapes names that are not UTF-8, of files and folders, in a whole walk and alone', () => {
    put({ 'a.ts': '', 'caf\ufffd.txt': '' });
    const raw = (text: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(text, 'latin1')]);
    writeFileSync(raw('caf\xe9.txt'), '');
    mkdirSync(raw('f\xfcr'));
    writeFileSync(raw('f\xfcr/\xff.c'), '');
    expect(statOf()).toEqual({
      files: ['a.ts', 'caf\\xe9.txt', 'caf\ufffd.txt', 'f\\xfcr/\\xff.c'],
      hidden: [],
      linked: [],
      unreadable: [],
      worktrees: [],
    });
    const files: string[] = [];
    const visitor = { ...NOTHING_ELSE, file: ({ path }: { path: string }) => files.push(path) };
    for (const path of ['caf\\xe9.txt', 'f\\xfcr']) entryWalker(root)(path, visitor);
    expect(files).toEqual(['caf\\xe9.txt', 'f\\xfcr/\\xff.c']);
  });

  it('counts a file as unreadable whose escaped name another one has', () => {
    put({ 'caf\\xe9.txt': '' });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]), '');
    expect(statOf()).toMatchObject({ files: ['caf\\xe9.txt'], unreadable: ['caf\ufffd.txt'] });
  });

  it('judges a single entry as the whole walk would', () => {
    put({
      '.git/HEAD': '',
      '.gitignore': '*.log\nout/\n',
      'x/a.log': '',
      'x/a.ts': '',
      'out/a.ts': '',
      'x/y/z.ts': '',
    });
    const entry = (path: string) => {
      const files: string[] = [];
      entryWalker(root)(path, { ...NOTHING_ELSE, file: (file) => files.push(file.path) });
      return files.sort();
    };
    expect(entry('x/a.log')).toEqual([]);
    expect(entry('x/a.ts')).toEqual(['x/a.ts']);
    expect(entry('out/a.ts')).toEqual([]);
    expect(entry('x')).toEqual(['x/a.ts', 'x/y/z.ts']);
    expect(entry('gone')).toEqual([]);
  });
});
