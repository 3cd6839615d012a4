import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ask, temporaryFolder } from '../../../test/support.ts';
import { type OpenApp, openApp } from '../../app/open-app.ts';
import { loadDriver } from '../../store/sqlite.ts';

/* Sizes whose sum no number holds exactly: they are told as the largest that one does. */

const MOST = Number.MAX_SAFE_INTEGER;
const place = await realpath(temporaryFolder());
mkdirSync(join(place, 'sub'));
writeFileSync(join(place, 'sub', 'real.txt'), 'x'.repeat(100));
const cli = { id: 'cli', door: 'cli', roots: ['/'], cwd: place } as const;

const open = (home: string) =>
  openApp({
    home,
    log: () => {},
    baseUrl: () => 'http://127.0.0.1:4747',
    env: { HOME: temporaryFolder() },
  });

const call = async (house: OpenApp, operation: string, input: object = {}) =>
  (await ask(house, operation, { ...input }, cli)).body;
const text = async (house: OpenApp, operation: string, input: object = {}) =>
  (await ask(house, operation, { ...input }, { ...cli, format: 'text' })).answer.rendered.text;

/** Indexes a folder and waits for its end. */
async function index(house: OpenApp, root: string, more = {}): Promise<string> {
  const { data } = await call(house, 'index', { root, ...more });
  await expect
    .poll(async () => (await call(house, 'job_progress', { job_id: data.job_id })).data.status)
    .toBe('done');
  return data.index_id;
}

/** Every command of the disk on one index; none may fail, and no size may be more than can be told. */
async function everyCommand(house: OpenApp, index_id: string): Promise<void> {
  const on = { index_id };
  const query = await call(house, 'query_run', { ...on, filter: { size: '>0' }, save_as: `all ${index_id}` });
  const { selection_id, query_id } = query.data;
  const answers = {
    query,
    indexes: await call(house, 'disk_indexes'),
    index: await call(house, 'disk_index', on),
    cd: await call(house, 'cd', { path: place }),
    tree: await call(house, 'disk_tree', on),
    summary: await call(house, 'disk_summary', on),
    find: await call(house, 'disk_find', { ...on, size: '>1' }),
    largest: await call(house, 'disk_largest', on),
    extensions: await call(house, 'disk_extensions', on),
    ages: await call(house, 'disk_ages', on),
    growth: await call(house, 'disk_growth', on),
    treemap: await call(house, 'disk_treemap', on),
    filtered: await call(house, 'disk_treemap', { ...on, filter: { size: '>0' } }),
    compare: await call(house, 'disk_compare', { ...on, other: index_id }),
    selections: await call(house, 'resource_set_list'),
    set: await call(house, 'resource_set_get', { selection_id }),
    entries: await call(house, 'resource_set_entries', { selection_id }),
    queries: await call(house, 'query_list'),
    runs: await call(house, 'query_get', { query_id }),
    jobs: await call(house, 'job_list'),
  };
  for (const [name, { data, error }] of Object.entries(answers)) {
    expect([name, error]).toEqual([name, undefined]);
    JSON.stringify(data, (key, value) => {
      if (typeof value === 'number') expect([name, key, value <= MOST]).toEqual([name, key, true]);
      return value;
    });
  }
}

/** An export of two files, each of which alone can be told. */
function exportOf(sizes: readonly number[]): string {
  const file = join(place, 'export.json');
  const files = sizes.map((size, i) => ({ name: `f${i}`, asize: size, dsize: size }));
  writeFileSync(
    file,
    JSON.stringify([1, 2, { timestamp: 1_700_000_000 }, [{ name: '/far' }, [{ name: 'd' }, ...files]]]),
  );
  return file;
}

describe('an import', () => {
  test.each([
    ['two files of 9e15 bytes', [9e15, 9e15]],
    ['one file of 1e300 bytes', [1e300]],
  ])('with %s', async (_what, sizes) => {
    const house = await open(temporaryFolder());
    try {
      const local = await index(house, place);
      const { data } = await call(house, 'disk_import', { file: exportOf(sizes) });
      expect(data).toMatchObject({ size: MOST, files: sizes.length });
      await everyCommand(house, data.index_id);
      await everyCommand(house, local);
      expect(await text(house, 'disk_summary', { index_id: data.index_id })).toContain('at least 9.0 PB');
      expect((await call(house, 'disk_index_delete', { index_id: data.index_id })).data.deleted).toBe(true);
    } finally {
      await house.close();
    }
  });
});

test('a data folder that was broken before works again', async () => {
  const home = temporaryFolder();
  const first = await open(home);
  const index_id = await index(first, place);
  await everyCommand(first, index_id);
  await first.close();
  const database = new (loadDriver())(join(home, 'pinhole.db'));
  database.exec('UPDATE disk_indexes SET size = 18014398509481984, disk_size = 9223372036854775807');
  database.exec('UPDATE disk_query_runs SET size = 18014398509481984');
  database.close();
  const second = await open(home);
  try {
    expect((await call(second, 'disk_indexes')).data.indexes).toMatchObject([
      { size: MOST, disk_size: MOST },
    ]);
    await everyCommand(second, index_id);
    await index(second, place, { full: true });
    expect((await call(second, 'disk_index', { index_id })).data.size).toBeLessThan(1_000_000);
    expect((await call(second, 'disk_index_delete', { index_id })).data.deleted).toBe(true);
  } finally {
    await second.close();
  }
});

describe('a file with a hole of exabytes', () => {
  const shared = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/pinhole-test-') : undefined;
  afterAll(() => shared && rmSync(shared, { recursive: true, force: true }));
  const huge = shared === undefined ? undefined : hugeFile(shared);

  test.runIf(huge !== undefined)('is scanned, shown and found unchanged again', async () => {
    const house = await open(temporaryFolder());
    try {
      const root = shared ?? '';
      const index_id = await index(house, root);
      await everyCommand(house, index_id);
      const { entries, total } = (await call(house, 'cd', { path: root })).data;
      expect([entries[0].size, entries[0].was, total.size]).toEqual([MOST, undefined, MOST]);
      expect((await call(house, 'inspect', { path: huge })).data.size).toBe(MOST);
      await index(house, root);
      const [{ report }] = (await call(house, 'job_list')).data.jobs;
      expect(report).toMatchObject({ size: MOST, changed: false });
    } finally {
      await house.close();
    }
  });
});

/** A sparse file of 7 EiB, where the file system has such. */
function hugeFile(folder: string): string | undefined {
  const file = join(folder, 'big');
  try {
    writeFileSync(file, '');
    execFileSync('truncate', ['-s', '7E', file]);
    return statSync(file).size > MOST ? file : undefined;
  } catch {
    return undefined;
  }
}
