import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryApp, temporaryFolder } from '../../test/support.ts';
import { waitForJob } from '../jobs/wait-for-job.ts';

test('a job that finds everything indexed has done all files', async () => {
  const root = temporaryFolder();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    writeFileSync(join(root, `${name}.ts`), `export const ${name} = 1;\n`);
  const app = await temporaryApp();
  try {
    const { jobs, code } = app.services;
    const index = async () => {
      const { job } = await code.indexer.startIndex({
        ...{ root, allowed: [root], followSymlinks: false, oneFileSystem: true, exclude: [], full: false },
      });
      return waitForJob(jobs, job, 20_000, new AbortController().signal);
    };
    const all = { status: 'done', progress: { done: 6, total: 6 } };
    expect(await index()).toMatchObject(all);
    expect(await index()).toMatchObject(all);
  } finally {
    await app.close();
  }
});
