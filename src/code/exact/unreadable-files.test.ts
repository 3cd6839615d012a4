import { chmodSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { type OpenedCode, openedCode } from '../../../test/fixtures/code/open-code.ts';
import { temporaryFolder } from '../../../test/support.ts';

/* An answer says when a match may be missing, and no longer says so once everything can be read. */

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

// Root may read everything, so it becomes nobody for these tests.
beforeAll(() => {
  if (isRoot) process.seteuid?.(NOBODY);
});
afterAll(() => {
  if (isRoot) process.seteuid?.(0);
});

let root = '';
let opened: OpenedCode;
beforeEach(async () => {
  root = realpathSync(temporaryFolder());
  writeFiles(root, { 'open/a.c': 'needle\n', 'closed/b.c': 'needle\n' });
  opened = await openedCode({ watch: true });
  await opened.index(root);
});
afterEach(async () => {
  chmodSync(join(root, 'closed'), 0o755);
  await opened.close();
});

async function find(below = ''): Promise<object> {
  const search = await opened.code.exact.search(
    await opened.code.trees.scopeOf(root, [root]),
    {
      pattern: { pattern: 'needle', insensitive: false, word: false, fixed: false },
      filter: { below, globs: [], hidden: false },
      lines: { before: 0, after: 0, length: 500, trim: true },
    },
    new AbortController().signal,
  );
  const paths: string[] = [];
  for await (const { path } of search.hits()) paths.push(path);
  const { fresh, doubt } = search.report;
  return { paths, fresh, doubt };
}

it('a folder that cannot be read', async () => {
  for (let turn = 0; turn < 4; turn++)
    expect(await find()).toEqual({ paths: ['closed/b.c', 'open/a.c'], fresh: true, doubt: undefined });
  chmodSync(join(root, 'closed'), 0o000);
  const doubt = '1 file or folder could not be read';
  expect(await find()).toEqual({ paths: ['open/a.c'], fresh: false, doubt });
  expect(await find()).toEqual({ paths: ['open/a.c'], fresh: false, doubt });
  // Elsewhere nothing is missing.
  const elsewhere = { paths: ['open/a.c'], fresh: true, doubt: undefined };
  expect(await find('open')).toEqual(elsewhere);
  chmodSync(join(root, 'closed'), 0o755);
  expect(await find()).toEqual({ paths: ['closed/b.c', 'open/a.c'], fresh: true, doubt: undefined });
});

it('a file that cannot be read, indexed or not', async () => {
  const closed = join(root, 'closed/b.c');
  chmodSync(closed, 0o000);
  const unsure = { paths: ['open/a.c'], fresh: false, doubt: '1 file or folder could not be read' };
  expect(await find()).toEqual(unsure);
  await opened.index(root);
  expect(await find()).toEqual(unsure);
  chmodSync(closed, 0o644);
  expect(await find()).toEqual({ paths: ['closed/b.c', 'open/a.c'], fresh: true, doubt: undefined });
});
