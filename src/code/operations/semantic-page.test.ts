import { writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caller, temporaryApp, temporaryFolder } from '../../../test/support.ts';
import { createRoots } from '../../contract/roots.ts';
import { openSemantic, type SemanticOptions } from '../semantic.ts';
import { semanticPage } from './semantic-page.ts';

/** A search of a tree that nobody has read, which waits so long. */
async function firstSearch(files: number, waitMs: NonNullable<SemanticOptions['waitMs']>) {
  const house = await temporaryApp();
  const root = await realpath(temporaryFolder());
  for (let file = 0; file < files; file++)
    writeFileSync(join(root, `part${file}.ts`), `export function retryRequest${file}() {}\n`.repeat(10));
  const { jobs } = house.services;
  const semantic = openSemantic({ jobs, home: temporaryFolder(), log: () => {}, waitMs });
  const context = {
    code: { ...house.services.code, semantic },
    roots: await createRoots([root], root),
    signal: new AbortController().signal,
    caller: caller({ cwd: root }),
    after: undefined,
    limit: 10,
    budget: 8_000,
    limitGiven: false,
    now: Date.now,
    zone: 'UTC',
    url: (path: string) => path,
  };
  const ask = (min_score: number) =>
    semanticPage(
      { min_score, include_snippet: false, snippet_length: 500 },
      { mode: 'hybrid', text: 'retryRequest' },
      context,
    );
  return { house, root, semantic, context, ask };
}

test('an answer from a part of the files says what share of them it looked at', async () => {
  // Answers at once, with what is read by then.
  const { house, root, semantic, context, ask } = await firstSearch(1000, { many: 0, few: 0 });
  const meta = async () => (await ask(0)).meta;
  const nothing = await ask(1);
  // Neither a total nor "nothing found": most files were not read.
  expect(nothing.shape([], false)).toMatchObject({
    note: expect.stringMatching(/^No match in the \d+ files read so far\.$/),
    matches: [],
  });
  const some = expect.toSatisfy((files) => files > 0 && files < 1000);
  expect(nothing).toMatchObject({ meta: { index: { fresh: false }, indexing: { files: some, of: 1000 } } });
  expect([nothing.total, nothing.keep]).toEqual([undefined, undefined]);
  const { tree } = await house.services.code.trees.scopeOf(root, [root]);
  await semantic.build(tree, context.signal);
  const later = await meta();
  expect(later).toMatchObject({ index: { files: 1000, fresh: true } });
  expect(later?.indexing).toBeUndefined();
  await semantic.close();
});

test('an answer comes even if not one file could be read in time', async () => {
  const { semantic, ask } = await firstSearch(3, { many: 0, few: 0, any: 0 });
  const answer = await ask(0);
  expect(answer).toMatchObject({ meta: { indexing: { files: 0, of: 3 } } });
  expect(answer.shape([], false)).toMatchObject({ note: 'No match in the 0 files read so far.' });
  await semantic.close();
});
