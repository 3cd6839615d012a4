import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';

const house = await temporaryApp();
const root = join(realpathSync(temporaryFolder()), 'app');
mkdirSync(root);
for (let i = 0; i < 12; i++) writeFileSync(join(root, `part-${i}.ts`), `export const part${i} = ${i};\n`);
const list = async (roots: readonly string[]) =>
  (await ask(house, 'code_indexes', {}, { roots: [...roots] })).body.data.indexes;

test('lists indexes with files, size, age and state to callers who may read them', async () => {
  expect(await list([root])).toEqual([]);
  const { job_id } = (await ask(house, 'index', { root, what: 'code' }, { roots: [root] })).body.data;
  await new Promise<void>((resolve) => {
    const look = (job: { status: string } | undefined) => {
      if (job?.status === 'done') resolve();
    };
    house.services.jobs.watch(job_id, look);
    void house.services.jobs.get(job_id).then(look);
  });
  const [card, ...more] = await list([root]);
  expect(more).toEqual([]);
  expect(card).toMatchObject({ root, status: 'ready', files: 12 });
  expect(card.bytes).toBeGreaterThan(100);
  expect(Date.now() - Date.parse(card.built_at)).toBeLessThan(60_000);
  expect(await list([temporaryFolder()])).toEqual([]);
  const { answer } = await ask(house, 'code_indexes', {}, { roots: [root], format: 'text' });
  expect(answer.rendered.text).toMatch(new RegExp(`^12 files .* ${root}`));
});
