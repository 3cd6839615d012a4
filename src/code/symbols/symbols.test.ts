import { readFileSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { type OpenedCode, openedCode } from '../../../test/fixtures/code/open-code.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { symbolFile } from './symbol-databases.ts';

const never = new AbortController().signal;
let root = '';
let home = '';
let opened: OpenedCode;
beforeEach(async () => {
  root = realpathSync(temporaryFolder());
  home = temporaryFolder();
  opened = await openedCode({ home });
  writeFiles(root, {
    'src/a.ts': 'export function a() {\n  b();\n}\n',
    'src/b.ts': 'function b() {\n}\n',
    'notes.md': '# Notes\n\nabout b\n',
  });
});
afterEach(() => opened.close(false));

const tree = () => opened.code.trees.at(root).tree;
const build = () => opened.code.symbols.build(tree(), never);
const inFile = (path: string) => opened.code.symbols.inFile(tree(), path, never);
const names = async (path: string) => (await inFile(path))?.definitions.map(({ name }) => name);
const reopen = async () => {
  await opened.close(false);
  opened = await openedCode({ home });
};

test('what is stored of a file is what its text says', async () => {
  const parsed = async () => (await opened.code.symbols.parsed(tree(), 'src/a.ts', never))?.symbols;
  const direct = await parsed();
  expect(direct).toMatchObject({
    language: 'typescript',
    definitions: [{ name: 'a', kind: 'function', from: 1, to: 3, isExported: true }],
    references: [{ name: 'b', kind: 'call', line: 2, column: 2, inside: 0 }],
  });
  await build();
  await reopen();
  const progress: [number, number][] = [];
  await opened.code.symbols.build(tree(), never, (...step) => progress.push(step));
  expect(progress).toEqual([]);
  // The stored rows also say which file they are of.
  expect(await parsed()).toMatchObject(JSON.parse(JSON.stringify(direct)));
  expect(await inFile('notes.md')).toBeUndefined();
});

test('a file is seen as it is now, even with the size and time of before', async () => {
  await build();
  const file = join(root, 'src/b.ts');
  const { atime, mtime, size } = statSync(file);
  writeFileSync(file, 'function c() {\n}\n');
  utimesSync(file, atime, mtime);
  expect(statSync(file).size).toBe(size);
  expect(await names('src/b.ts')).toEqual(['c']);
  await reopen();
  await build();
  expect(await names('src/b.ts')).toEqual(['c']);
});

test.each([
  ['nonsense', (file: string) => writeFileSync(file, 'this is no database at all'.repeat(500))],
  ['cut in half', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 9_000))],
  ['gone', (file: string) => rmSync(file)],
])('a database that is %s is built again', async (_, harm) => {
  await build();
  await opened.close(false);
  const file = symbolFile(home, root);
  harm(file);
  opened = await openedCode({ home });
  await build();
  expect(await names('src/a.ts')).toEqual(['a']);
  await reopen();
  await build();
  expect(await names('src/b.ts')).toEqual(['b']);
});
