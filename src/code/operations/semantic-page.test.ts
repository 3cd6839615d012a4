import { writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caller, temporaryApp, temporaryFolder } from '../../../test/support.ts';
import { createRoots } from '../../contract/roots.ts';
import { openSemantic } from '../semantic.ts';
import { semanticPage } from './semantic-page.ts';

test('an answer from a part of the files says what share of them it looked at', async () => {
  const house = await temporaryApp();
  const root = await realpath(temporaryFolder());
  for (let file = 0; file < 1000; file++)
    writeFileSync(join(root, `part${file}.ts`), `export function retryRequest${file}() {}\n`.repeat(10));
  // Answers at once, with what is read by then.
  const semantic = openSemantic({
    jobs: house.services.jobs,
    home: temporaryFolder(),
    log: () => {},
    waitMs: { many: 0, few: 0 },
  });
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
  const meta = async () => (await ask(0)).meta;
  const nothing = await ask(1);
  // Neither a total nor "nothing found": most files were not read.
  expect(nothing.shape([], false)).toMatchObject({
    note: expect.stringMatching(/^No match in the \d+ files read so far\.$/),
    matches: [],
  });
  expect(nothing).toMatchObject({ meta: { indexing: { of: 1000 } } });
  expect([nothing.total, nothing.keep]).toEqual([undefined, undefined]);
  const early = await meta();
  expect(early).toMatchObject({ index: { fresh: false }, indexing: { of: 1000 } });
  expect(early?.indexing).toMatchObject({ files: expect.toSatisfy((files) => files > 0 && files < 1000) });
  const { tree } = await house.services.code.trees.scopeOf(root, [root]);
  await semantic.build(tree, context.signal);
  const later = await meta();
  expect(later).toMatchObject({ index: { files: 1000, fresh: true } });
  expect(later?.indexing).toBeUndefined();
  await semantic.close();
});
