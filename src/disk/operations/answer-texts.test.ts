import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { ask, caller, temporaryApp } from '../../../test/support.ts';
import { exportNcdu } from '../ncdu/ncdu-export.ts';

/** What people read of the disk: counts in good English, sizes that say which they are. */

const house = await temporaryApp();
const root = emptyFolder();
mkdirSync(join(root, 'sub'));
writeFileSync(join(root, 'sub/one.txt'), 'x'.repeat(5_000));
writeFileSync(join(root, 'hole.bin'), '');
truncateSync(join(root, 'hole.bin'), 3 << 20);
const who = { roots: [root], cwd: root };

async function text(operation: string, input: Record<string, unknown>): Promise<string> {
  const answer = await house.engine.run(operation, input, { caller: caller({ ...who, format: 'text' }) });
  return answer.rendered.text;
}

beforeAll(async () => {
  const { body } = await ask(house, 'index', { root }, who);
  await new Promise<void>((resolve) => {
    const ended = (job: { status: string } | undefined) => job?.status === 'done' && resolve();
    house.services.jobs.watch(body.data.job_id, ended);
    void house.services.jobs.get(body.data.job_id).then(ended);
  });
});

test('one file is a file, one folder a folder', async () => {
  expect(await text('disk_summary', { under: root })).toContain('in 2 files, 1 folder ');
  expect(await text('disk_summary', { under: join(root, 'sub') })).toContain('in 1 file, 0 folders ');
  expect(await text('disk_index', { index_id: 'i1' })).toMatch(/2 files, 1 folder$/m);
  expect(await text('inspect', { path: join(root, 'sub') })).toContain('in 1 file, 0 folders; scanned');
  expect(await text('cd', { path: root })).toMatch(/ 1 file +sub\//);
});

test('folders are not counted as files', async () => {
  for (const report of ['disk_extensions', 'disk_ages'])
    expect(await text(report, { under: root })).toMatch(/^\(folders\) .* 2 folders$/m);
  expect(await text('disk_extensions', { under: root })).toMatch(/^txt .* 1 file$/m);
});

test('the largest show the size they are sorted by, and the other one only where it differs', async () => {
  const bySize = (await text('disk_largest', { under: root, by: 'size' })).split('\n');
  expect(bySize[0]).toMatch(/^n\S+ +3\.1 MB +\S+ +\S+\/hole\.bin {2}\(0 B on disk\)$/);
  const byDisk = (await text('disk_largest', { under: root })).split('\n');
  expect(byDisk[0]).toMatch(/^n\S+ +8\.2 kB +\S+ +\S+\/one\.txt {2}\(5\.0 kB of content\)$/);
});

test('the summary of a file says that it is one, how large it is, and suggests a look at it', async () => {
  const { error } = (await ask(house, 'disk_summary', { under: join(root, 'sub/one.txt') }, who)).body;
  expect(error.code).toBe('invalid_parameter');
  expect(error.message).toContain(`'${root}/sub/one.txt' is a file (5.0 kB, 8.2 kB on disk), not a folder.`);
  expect(error.next).toMatchObject({ operation: 'inspect', input: { index_id: 'i1' } });
});

test('an import in the place of an index names the command that makes room', async () => {
  const { tree } = await house.services.disk.indexes.open('i1');
  const dump = [...exportNcdu(tree, '0.0.0')].join('');
  await expect(house.services.disk.importNcdu(dump)).rejects.toThrow('pinhole disk index delete i1');
});
