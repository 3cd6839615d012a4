import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeFiles } from '../../test/fixtures/code/made-tree.ts';
import { openedCode } from '../../test/fixtures/code/open-code.ts';
import { temporaryFolder } from '../../test/support.ts';
import { readSqlite } from '../store/sqlite.ts';
import { CODE_TABLES } from './tables.ts';

function shownRows(name: string, file = '') {
  const table = CODE_TABLES.tables.find((each) => each.name === name);
  const columns = Object.keys(table?.columns ?? {});
  const select = (table?.select ?? '').replaceAll('{db}', 'main');
  return readSqlite(file, (all) =>
    all(`WITH shown (${columns.join(', ')}) AS (${select}) SELECT * FROM shown`),
  );
}

test('the tables say what the sources say, and stay right when files change', async () => {
  const root = realpathSync(temporaryFolder());
  writeFiles(root, {
    'src/a.ts': "import { b } from './b.ts';\nexport class A {\n  run() {\n    return b();\n  }\n}\n",
    'src/b.ts': 'export function b() {}\n',
    'src/b.test.ts': 'b();\n',
    'README.md': '# A\n\ntext\n',
    'logo.bin': '\0\0',
  });
  const opened = await openedCode();
  const rows = async (name: string) => {
    const [database, ...others] = await opened.code.symbols.databases([root], new AbortController().signal);
    expect(others).toEqual([]);
    expect(database?.incomplete).toBeUndefined();
    return shownRows(name, database?.file);
  };
  try {
    const symbols = await rows('symbols');
    expect(symbols).toContainEqual({
      repo: root,
      path: `${root}/src/a.ts`,
      line: 3,
      end_line: 5,
      name: 'run',
      kind: 'method',
      parent: 'A',
      signature: 'run()',
      is_test: 0,
      is_exported: 1,
    });
    const calls = (await rows('refs')).filter(({ kind }) => kind === 'call');
    expect(
      calls.map(({ path, line, name, inside, is_test }) => [path, line, name, inside, is_test]).sort(),
    ).toEqual([
      [`${root}/src/a.ts`, 4, 'b', 'A.run', 0],
      [`${root}/src/b.test.ts`, 1, 'b', null, 1],
    ]);
    const sources = await rows('sources');
    expect(sources.map(({ path, language, lines }) => [path, language, lines]).sort()).toEqual([
      [`${root}/README.md`, 'markdown', 3],
      [`${root}/src/a.ts`, 'typescript', 6],
      [`${root}/src/b.test.ts`, 'typescript', 1],
      [`${root}/src/b.ts`, 'typescript', 1],
    ]);
    writeFiles(root, { 'src/b.ts': 'export function c() {}\n' });
    expect((await rows('symbols')).map(({ name }) => name).sort()).toEqual(['A', 'c', 'run']);
  } finally {
    await opened.close();
  }
});

test('a tree inside another one has its rows once', async () => {
  const root = realpathSync(temporaryFolder());
  writeFiles(root, { 'a.ts': 'export const a = 1;\n', 'inner/b.ts': 'export const b = 1;\n' });
  const opened = await openedCode();
  const files = async (...roots: string[]) =>
    (await opened.code.symbols.databases(roots, new AbortController().signal)).map(({ file }) => file);
  try {
    const [inner] = await files(`${root}/inner`);
    const [outer, ...others] = await files(root, `${root}/inner`);
    expect(others).toEqual([]);
    expect(outer).not.toBe(inner);
    expect(await files(root)).toEqual([outer]);
  } finally {
    await opened.close();
  }
});

test('the tree that a query names comes before a folder that holds it', async () => {
  const root = realpathSync(temporaryFolder());
  writeFiles(root, { 'a/one.ts': 'export const one = 1;\n', 'b/two.ts': 'export const two = 2;\n' });
  const opened = await openedCode();
  const { signal } = new AbortController();
  const roots = async (named: string[]) => {
    const found = await opened.code.symbols.databases([root, `${root}/a`, `${root}/b`], signal, named);
    return found.map((database) => database.root);
  };
  try {
    // The folder around them has all of their rows.
    expect(await roots([`${root}/b/two.ts`])).toEqual([root]);
    expect(await roots([])).toEqual([root]);
  } finally {
    await opened.close();
  }
});

test('of a large tree that nobody indexed, the folder that a query names is parsed; the rest is said to be missing', async () => {
  const root = realpathSync(temporaryFolder());
  const many = Array.from({ length: 3_200 }, (_, i) => [`other/f${i}.ts`, `export const f${i} = 1;\n`]);
  writeFiles(root, { ...Object.fromEntries(many), 'src/a.ts': 'export const one = 1;\n' });
  const opened = await openedCode();
  const { signal } = new AbortController();
  try {
    expect(await opened.code.symbols.databases([root], signal)).toEqual([
      {
        root,
        incomplete: `${root} has no rows: its 3,201 files are not indexed. Name a folder in it, or call index with what=code.`,
      },
    ]);
    const [found] = await opened.code.symbols.databases([root], signal, [`${root}/src`]);
    expect(found?.incomplete).toMatch(
      /^Only [\d,]+ of 3,201 files in .* are parsed yet, among them all in .*\/src\.$/,
    );
    const rows = shownRows('symbols', found?.file).filter(({ name }) => name === 'one');
    expect(rows).toHaveLength(1);
  } finally {
    await opened.close();
  }
});
