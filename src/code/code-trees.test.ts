import { afterAll, expect, test } from 'vitest';
import { writeFiles } from '../../test/fixtures/code/made-tree.ts';
import { openedCode } from '../../test/fixtures/code/open-code.ts';
import { temporaryFolder } from '../../test/support.ts';

const root = temporaryFolder();
writeFiles(root, {
  'one/.git/HEAD': 'ref: refs/heads/main\n',
  'one/src/a.ts': 'export const a = 1;\n',
  'two/.git/HEAD': 'ref: refs/heads/main\n',
  'two/src/b.ts': 'export const b = 2;\n',
  'loose/c.ts': 'export const c = 3;\n',
});
const opened = await openedCode();
afterAll(() => opened.close());

const scope = async (path: string) => {
  const { tree, below } = await opened.code.trees.scopeOf(path, [root]);
  return [tree.root.slice(root.length), below];
};

test('a repository does not wait for a folder around it that is not read yet', async () => {
  expect(await scope(root)).toEqual(['', '']);
  // The folder around it is open, and nothing of it is known.
  expect(await scope(`${root}/one/src`)).toEqual(['/one', 'src']);
  expect(await scope(`${root}/loose`)).toEqual(['', 'loose']);
});

test('a folder that is read serves the repositories in it', async () => {
  await opened.index(root);
  expect(await scope(`${root}/two/src`)).toEqual(['', 'two/src']);
  // It keeps its own tree once it has one, so that its paths stay the same.
  expect(await scope(`${root}/one/src/a.ts`)).toEqual(['/one', 'src/a.ts']);
});

test('a folder that was read serves the repositories in it after a restart', async () => {
  const before = await openedCode();
  await before.index(root);
  await before.close(false);
  const after = await openedCode({ home: before.home });
  const { tree, below } = await after.code.trees.scopeOf(`${root}/two/src`, [root]);
  expect([tree.root, below]).toEqual([root, 'two/src']);
  await after.close();
});
