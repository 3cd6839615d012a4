import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rootId } from '../src/code/indexed-tree.ts';
import { writeFiles } from './fixtures/code/made-tree.ts';
import { type OpenedCode, openedCode } from './fixtures/code/open-code.ts';
import { temporaryFolder } from './support.ts';

const never = new AbortController().signal;
let home = '';
let main = '';
let worktree = '';
let opened: OpenedCode;

beforeEach(async () => {
  const folder = realpathSync(temporaryFolder());
  home = temporaryFolder();
  main = join(folder, 'main');
  worktree = join(folder, 'worktree');
  mkdirSync(main);
  writeFiles(main, {
    'src/pool.ts': 'export class ConnectionPool {\n  acquire() {\n    return this.idle.pop();\n  }\n}\n',
    'src/retry.ts': 'export function withBackoff(send) {\n  return send();\n}\n',
    'src/gone.ts': 'export function onlyInMain() {}\n',
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', main, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args]);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  git('worktree', 'add', '--quiet', worktree, '-b', 'other');
  opened = await openedCode({ home });
});
afterEach(() => opened.close(false));

const tree = (root: string) => opened.code.trees.at(root).tree;
const paths = async (root: string, text: string) => {
  const filter = { below: '', globs: [] };
  const search = { mode: 'hybrid' as const, text, filter, minScore: 0, limit: 20 };
  const { hits, index } = await opened.code.semantic.search(tree(root), search, never);
  expect(index.fresh).toBe(true);
  return hits.map(({ path }) => path);
};
const build = async (root: string) => {
  await tree(root).refresh();
  await opened.code.semantic.build(tree(root), never);
  await opened.code.symbols.build(tree(root), never);
};
const segments = (root: string) => {
  const folder = join(home, 'code', rootId(root), 'semantic');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.seg'))
    .map((name) => statSync(join(folder, name)));
};
const names = async (root: string, path: string) =>
  (await opened.code.symbols.inFile(tree(root), path, never))?.definitions.map(({ name }) => name);

it('a worktree shares the index of its repository, and differs where its files do', async () => {
  await build(main);
  expect(segments(main).map(({ nlink }) => nlink)).toEqual([1]);
  writeFileSync(join(worktree, 'src/retry.ts'), 'export function withJitter(send) {\n  return send();\n}\n');
  rmSync(join(worktree, 'src/gone.ts'));
  writeFileSync(join(worktree, 'src/added.ts'), 'export function onlyInWorktree() {}\n');
  await build(worktree);
  // One segment is that of the main checkout, the other has what differs.
  expect(
    segments(worktree)
      .map(({ nlink }) => nlink)
      .sort(),
  ).toEqual([1, 2]);
  expect(await paths(worktree, 'ConnectionPool')).toContain('src/pool.ts');
  expect(await paths(worktree, 'withJitter')).toContain('src/retry.ts');
  expect(await paths(worktree, 'onlyInWorktree')).toContain('src/added.ts');
  expect(await paths(worktree, 'onlyInMain')).not.toContain('src/gone.ts');
  expect(await names(worktree, 'src/pool.ts')).toEqual(['ConnectionPool', 'acquire']);
  expect(await names(worktree, 'src/retry.ts')).toEqual(['withJitter']);
  expect(await names(worktree, 'src/gone.ts')).toBeUndefined();
  expect(await names(main, 'src/retry.ts')).toEqual(['withBackoff']);
  expect(await paths(main, 'onlyInMain')).toContain('src/gone.ts');
});

it('what a worktree changes does not touch the index of the other', async () => {
  await build(main);
  await build(worktree);
  for (const name of ['pool', 'retry', 'gone'])
    writeFileSync(join(worktree, `src/${name}.ts`), `export function changed_${name}() {}\n`);
  await build(worktree);
  expect(await names(main, 'src/retry.ts')).toEqual(['withBackoff']);
  expect(await paths(main, 'ConnectionPool')).toContain('src/pool.ts');
  expect(await paths(worktree, 'changed_gone')).toContain('src/gone.ts');
});
