import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { indexed } from '../../../test/disk/indexed.ts';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { ask, temporaryApp } from '../../../test/support.ts';

/* Jobs tell of folders: who may not read a folder does not even learn that there was one. */

const house = await temporaryApp();
const mine = emptyFolder();
const other = emptyFolder();
for (let i = 0; i < 9; i++) {
  const folder = join(mine, `${'long-name-'.repeat(20)}${i}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'file'), 'x'.repeat(10_000 * (i + 1)));
}
writeFileSync(join(mine, 'beside'), 'x'.repeat(5_000));
const owner = { id: 'owner', roots: [mine] };
const stranger = { id: 'stranger', roots: [other] };
let job = '';

beforeAll(async () => {
  await indexed(house, mine, owner);
  const { body } = await ask(house, 'job_list', {}, owner);
  job = body.data.jobs[0].job_id;
});

test.each([
  ['job_progress', {}],
  ['job_progress', { cancel: true }],
  ['job_cancel', {}],
])('%s %j of a job on a folder of another is as of one that does not exist', async (operation, more) => {
  const { body } = await ask(house, operation, { job_id: job, ...more }, stranger);
  const none = await ask(house, operation, { job_id: 'j99', ...more }, stranger);
  expect(body.error).toEqual({
    ...none.body.error,
    message: `No job '${job}'.`,
  });
  expect(body.error.code).toBe('not_found');
  const other = await ask(house, operation, { job_id: 'i1', ...more }, stranger);
  expect(other.body.error).toMatchObject({
    code: 'invalid_parameter',
    message: "'i1' is an index, not a job (for example j7).",
  });
});

test('lists hold jobs of own folders and those without a folder', async () => {
  await ask(house, 'index', { root: other, what: 'sessions' }, stranger);
  const kinds = async (who: object) =>
    (await ask(house, 'job_list', {}, who)).body.data.jobs.map(({ kind }: { kind: string }) => kind);
  expect(await kinds(stranger)).not.toContain('disk-index');
  expect((await kinds(stranger)).length).toBeGreaterThan(0);
  expect(await kinds(owner)).toContain('disk-index');
  const first = await ask(house, 'job_list', { limit: 1 }, owner);
  const next = await ask(house, 'job_list', { cursor: first.body.pagination.next_cursor }, owner);
  expect(next.body.data.jobs.length).toBeGreaterThan(0);
});

test('the report of a scan adds up and fits a glance', async () => {
  const { answer, body } = await ask(house, 'job_progress', { job_id: job }, owner);
  expect(answer.rendered.bytes).toBeLessThanOrEqual(2_500);
  const { top, rest, shared = 0, size } = body.data.report;
  expect(top).toHaveLength(5);
  expect(rest.entries).toBe(5);
  const sum = top.reduce((total: number, one: { size: number }) => total + one.size, 0);
  expect(sum + rest.size - shared).toBe(size);
});

test('a finished scan tells how many entries it found', async () => {
  const { body } = await ask(house, 'job_progress', { job_id: job }, owner);
  // Nine folders with a file each, one file beside them, and the root.
  expect(body.data).toMatchObject({ status: 'done', progress_pct: 100, done: 20, unit: 'entries' });
});

test('an index whose only scan did not end well does not say that it is being scanned', async () => {
  const root = join(other, 'was-here');
  const options = { depthLimit: undefined, followSymlinks: false, oneFileSystem: true, exclude: [] };
  const { indexes } = house.services.disk;
  const { job, indexId } = await indexes.startIndex({ root, allowed: [other], full: false, ...options });
  await new Promise<void>((resolve) => {
    const look = (status: string | undefined) => status === 'failed' && resolve();
    house.services.jobs.watch(job.id, ({ status }) => look(status));
    void house.services.jobs.get(job.id).then((now) => look(now?.status));
  });
  const { body } = await ask(house, 'disk_index', { index_id: indexId }, stranger);
  expect(body.data).toMatchObject({ root, status: 'not_scanned', generation: 0 });
  const { answer } = await ask(house, 'disk_indexes', {}, { ...stranger, format: 'text' });
  expect(answer.rendered.text).toContain('not scanned');
  const asked = await ask(house, 'disk_largest', { index_id: indexId }, stranger);
  expect(asked.body.error).toMatchObject({
    code: 'index_not_found',
    message: `The scan of index ${indexId} never finished. Index its folder again.`,
    next: { operation: 'index', input: { root } },
  });
});
