import { writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caller, temporaryFolder, temporaryHouse } from '../../../test/support.ts';
import { createRoots } from '../../contract/roots.ts';
import { meaningPage } from './meaning.ts';

test('an answer from a part of the files says that the same call finds more later', async () => {
  const house = await temporaryHouse();
  const root = await realpath(temporaryFolder());
  writeFileSync(join(root, 'a.ts'), 'export function retryRequest() {}\n');
  const { code, semantic } = house.services;
  const hint = async (pending: number | undefined) => {
    const context = {
      code,
      // As far as the answer tells, these files were not read in time.
      semantic: {
        ...semantic,
        search: async (...asked: Parameters<typeof semantic.search>) => {
          const answer = await semantic.search(...asked);
          return pending === undefined ? answer : { ...answer, index: { ...answer.index, pending } };
        },
      },
      roots: await createRoots([root], root),
      signal: new AbortController().signal,
      caller: caller({ cwd: root }),
      after: undefined,
      limit: 10,
      limitGiven: false,
      now: Date.now,
      url: (path: string) => path,
    };
    const page = await meaningPage(
      { min_score: 0, include_snippet: false, snippet_length: 500 },
      { mode: 'hybrid', text: 'retryRequest' },
      context,
    );
    return page.hint;
  };
  expect(await hint(undefined)).toBeUndefined();
  expect(await hint(762)).toBe('762 files not read yet: the same call in a few seconds looks at all of them');
});
