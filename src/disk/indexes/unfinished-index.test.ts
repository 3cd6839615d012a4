import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { indexed } from '../../../test/disk/indexed.ts';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { ask, temporaryApp } from '../../../test/support.ts';

/* What is asked while an index is being made. */

const house = await temporaryApp();
const there = emptyFolder();
const here = emptyFolder();
for (const folder of [there, here]) {
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'sub', 'file'), 'x'.repeat(1_000));
}
const who = { id: 'agent', roots: [there, here] };
const filter = { size: '>0' };

test('an index that is being made here is never answered for by one of another place', async () => {
  const run = (cwd: string) => ask(house, 'query_run', { filter }, { ...who, id: cwd, cwd });
  const other = await indexed(house, there, who);
  expect((await run(here)).body.data.index_id).toBe(other);

  // Nothing else runs while these do.
  const { jobs } = house.services;
  let open = () => {};
  const gate = new Promise<undefined>((resolve) => {
    open = () => resolve(undefined);
  });
  jobs.register({ name: 'wait', afterRestart: 'fail', run: () => gate });
  for (let n = 0; n < 8; n++) await jobs.start('wait', String(n), {});
  const { job_id, index_id } = (await ask(house, 'index', { root: here, wait_seconds: 0 }, who)).body.data;
  const told = (await run(here)).body.error;
  expect(told).toMatchObject({
    code: 'index_not_found',
    message: `Index ${index_id} is still being built.`,
    next: { operation: 'job_progress', input: { job_id } },
  });
  expect((await run(there)).body.data.index_id).toBe(other);

  await ask(house, 'job_progress', { job_id, cancel: true }, who);
  expect((await run(here)).body.error.message).toBe(
    `The scan of index ${index_id} never finished. Index its folder again.`,
  );
  open();
  await indexed(house, here, who);
  const { data } = (await run(here)).body;
  expect(data.indexes.map((index: { index_id: string }) => index.index_id).sort()).toEqual(
    [other, index_id].sort(),
  );
});
