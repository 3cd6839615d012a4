import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { ask, temporaryApp } from '../../../test/support.ts';

/** Questions about disks, each answered by one call. */

const house = await temporaryApp();

function put(root: string, files: Readonly<Record<string, string | number>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : 'x'.repeat(content));
  }
}

const root = emptyFolder();
put(root, {
  'app/package.json': '{}',
  'app/src/main.ts': 3_000,
  'app/src/old.log': 9_000,
  'app/node_modules/left/index.js': 20_000,
  'app/node_modules/left/node_modules/pad/index.js': 5_000,
  'app/dist/main.js': 12_000,
  'lib/a.so': 60_000,
  'lib/deep/b.so': 50_000,
  'copies/one.bin': 'same'.repeat(3_000),
  'copies/two.bin': 'same'.repeat(3_000),
  'copies/mine.txt': 'only here',
  'dist/note.txt': 'not beside a manifest',
});
for (let i = 0; i < 30; i++) put(root, { [`many/f${i}`]: 100 + i });
symlinkSync('/nowhere/at/all', join(root, 'lib/broken'));
symlinkSync('a.so', join(root, 'lib/fine'));
utimesSync(join(root, 'app/src/old.log'), 1_500_000_000, 1_500_000_000);

const who = { roots: [root], cwd: root };
const call = async (input: object, caller: object = who, operation = 'query_run') =>
  (await ask(house, operation, { ...input }, { ...caller })).body;
const text = async (input: object, caller: object = who, operation = 'query_run') =>
  (await ask(house, operation, { ...input }, { ...caller, format: 'text' })).answer.rendered.text;
const paths = (rows: readonly { readonly path: string }[]) => rows.map(({ path }) => path);

test('a folder that is not indexed yet is indexed by the question, and leaves no selection', async () => {
  const { data } = await call({ filter: { kind: 'file', size: '>=20kB' } });
  expect(data).toMatchObject({ index_id: 'i1', root, counts: { matches: 3 }, total_size: 130_000 });
  expect(paths(data.report)).toEqual(['lib/a.so', 'lib/deep/b.so', 'app/node_modules/left/index.js']);
  expect(data.selection_id).toBeUndefined();
  expect((await call({}, who, 'resource_set_list')).data.selections).toEqual([]);
  expect((await call({ filter: { ext: 'so' }, select: true })).data.selection_id).toBe('s1');
});

test('rows are one line each, below the root that is named once', async () => {
  expect(await text({ filter: { ext: 'so' } })).toBe(
    `${root}: 2 matches, 110kB\n60.0kB lib/a.so\n50.0kB lib/deep/b.so`,
  );
  expect(await text({ path: 'lib', filter: { ext: 'so' } })).toBe(
    `${root}/lib: 2 matches, 110kB\n60.0kB a.so\n50.0kB deep/b.so`,
  );
});

test('paths, depths and rows count from the folder that is named', async () => {
  const { data } = await call({ path: 'app', filter: { depth: 1 } });
  expect(paths(data.report).sort()).toEqual(['dist', 'node_modules', 'package.json', 'src']);
  expect(paths((await call({ path: 'app', filter: { path: 'src/*' } })).data.report)).toEqual([
    'src/old.log',
    'src/main.ts',
  ]);
  expect((await call({ path: 'app', filter: { path: 'src/' } })).data.counts.matches).toBe(2);
  expect((await call({ path: 'app', filter: { path: join(root, 'app/src/*') } })).data.counts.matches).toBe(
    2,
  );
  expect((await call({ filter: { path: './' } })).data.counts.matches).toBeGreaterThan(50);
  const nested = (await call({ path: 'app', filter: { path: { regex: '^src/' } } })).data;
  expect(nested.counts.matches).toBe(2);
});

test('a list goes on with a cursor, 50 rows at most', async () => {
  const first = await call({ filter: { name: 'f*', kind: 'file' }, limit: 20 });
  expect(first.data.report).toHaveLength(20);
  expect(first.data.rest).toEqual({ nodes: 10, size: 1_045 });
  const next = await call({ cursor: first.pagination.next_cursor });
  expect(paths([...first.data.report, ...next.data.report])).toEqual(
    Array.from({ length: 30 }, (_, i) => `many/f${29 - i}`),
  );
  expect(next.data.rest).toBeUndefined();
  // An agent that asks for more gets as many as a page can have.
  expect((await call({ filter: { name: '*' }, limit: 51 })).data.report).toHaveLength(50);
});

describe('sorted by what is shown', () => {
  test('entries', async () => {
    const { data } = await call({ filter: { kind: 'dir' }, sort: 'entries', limit: 1 });
    expect(data.report).toMatchObject([{ path: 'many', entries: 30 }]);
    expect((await call({ filter: { entries: '>20' } })).data.counts.matches).toBe(1);
    expect((await call({ filter: { entries: 2, kind: 'dir' } })).data.report).toMatchObject([
      { path: 'app/node_modules/left' },
      { path: 'app/src' },
    ]);
  });

  test('count, modified, name, disk_size', async () => {
    const top = async (sort: string, filter: object) =>
      (await call({ filter, sort, limit: 1 })).data.report[0];
    expect(await top('count', { kind: 'dir', depth: 1 })).toMatchObject({ path: 'many', files: 30 });
    // Tables call that column files.
    expect(await top('files', { kind: 'dir', depth: 1 })).toMatchObject({ path: 'many', files: 30 });
    expect((await call({ group_by: 'folder', depth: 1, sort: 'files' })).data.groups[0]).toMatchObject({
      files: 30,
    });
    expect(await top('name', { kind: 'file' })).toMatchObject({ path: 'app/dist/main.js' });
    expect(
      (await call({ filter: { kind: 'file' }, sort: 'modified', limit: 50 })).data.report.at(-1),
    ).toMatchObject({
      path: 'app/src/old.log',
      modified_at: '2017-07-14',
    });
    expect(await text({ filter: { ext: 'so' }, sort: 'disk_size', limit: 1 })).toMatch(
      /: 2 matches, \d+kB on disk\n61\.4kB lib\/a\.so\n/,
    );
  });
});

test('links: broken ones, and those that lead to a place', async () => {
  expect(await text({ filter: { broken: true } })).toBe(
    `${root}: 1 match, 15B\nlib/broken -> /nowhere/at/all`,
  );
  expect(paths((await call({ filter: { kind: 'symlink', broken: false } })).data.report)).toEqual([
    'lib/fine',
  ]);
  for (const target of ['/nowhere/**', { regex: '^/no' }])
    expect((await call({ filter: { target } })).data.report).toMatchObject([
      { path: 'lib/broken', broken: true },
    ]);
  // As written, or as a full path.
  expect((await call({ filter: { target: 'a.so' } })).data.counts.matches).toBe(1);
  expect((await call({ filter: { target: join(root, 'lib/a.so') } })).data.counts.matches).toBe(1);
});

describe('totals', () => {
  test('by extension', async () => {
    const { data } = await call({ group_by: 'ext' });
    expect(data.groups[0]).toMatchObject({ label: 'so', files: 2, size: 110_000 });
    expect(data.groups.reduce((sum: number, group: { size: number }) => sum + group.size, 0)).toBe(
      data.total_size,
    );
    expect(data.groups.map(({ label }: { label: string }) => label)).not.toContain('(folders)');
  });

  test('by folder, that of each file or at a depth', async () => {
    const so = { ext: 'so' };
    expect((await call({ group_by: 'folder', filter: so })).data.groups).toMatchObject([
      { label: 'lib', size: 60_000 },
      { label: 'lib/deep', size: 50_000 },
    ]);
    expect((await call({ group_by: 'folder', filter: so, min_size: '55kB' })).data.groups).toHaveLength(1);
    expect((await call({ group_by: 'folder', filter: so, depth: 1 })).data.groups).toMatchObject([
      { label: 'lib', files: 2, size: 110_000 },
    ]);
    expect(await text({ path: 'lib', group_by: 'folder', filter: so })).toBe(
      `${root}/lib: 2 files, 110kB; size files folder\n60.0kB 1 .\n50.0kB 1 deep`,
    );
  });

  test('by owner and by age', async () => {
    const { data } = await call({ group_by: 'owner' });
    expect(data.groups).toHaveLength(1);
    const ages = (await call({ group_by: 'age', filter: { ext: ['log', 'ts'] } })).data.groups;
    expect(ages).toMatchObject([
      { label: 'within 1d', files: 1, size: 3_000 },
      { label: 'older than 5y', files: 1, size: 9_000 },
    ]);
  });

  test('what can be made again, by project', async () => {
    const filter = { regenerable: true };
    expect(paths((await call({ filter })).data.report)).toEqual(['app/node_modules', 'app/dist']);
    expect((await call({ filter, group_by: 'project' })).data.groups).toMatchObject([
      { label: 'app', files: 3, size: 37_000 },
    ]);
    const rest = (await call({ filter: { not: filter, kind: 'dir', name: 'dist' } })).data;
    expect(paths(rest.report)).toEqual(['dist']);
  });

  test('groups of equal files with what they waste', async () => {
    const { data } = await call({ group_by: 'duplicates' });
    expect(data).toMatchObject({ counts: { matches: 1, files: 2 }, wasted: 12_000 });
    expect(await text({ group_by: 'duplicates', filter: { size: '>10kB' } })).toBe(
      `${root}: 1 group, 12.0kB wasted\n12.0kB copies/{one.bin,two.bin}`,
    );
    expect(await text({ group_by: 'duplicates', filter: { size: '>20kB' } })).toBe(
      `${root}: No equal files.`,
    );
  });

  test('are not stored', async () => {
    expect((await call({ group_by: 'ext', select: true })).error.message).toContain('Leave it out');
  });
});

test('what is in a folder and in no other copy', async () => {
  const place = emptyFolder();
  put(place, {
    'a/same': 5_000,
    'b/same': 5_000,
    'a/mine': 'mine',
    'a/twice': 'tw',
    'a/sub/twice': 'tw',
    'a/empty': '',
  });
  const me = { roots: [place], cwd: place, id: 'unique' };
  await call({ root: place }, me, 'index');
  const found = await call({ path: 'a', filter: { unique: true }, sort: 'name' }, me);
  expect(paths(found.data.report)).toEqual(['mine', 'sub/twice', 'twice']);
  expect(paths((await call({ filter: { unique: true } }, me)).data.report)).toEqual(['a/mine']);
});

describe('several folders at once', () => {
  const other = emptyFolder();
  put(other, { 'big.so': 80_000, 'copy/a.so': 60_000 });
  const both = { roots: [root, other], cwd: root, id: 'both' };

  test('named, or everything that is indexed', async () => {
    const named = await call({ paths: [join(root, 'lib'), other], filter: { ext: 'so' } }, both);
    const expected = [
      join(other, 'big.so'),
      join(root, 'lib/a.so'),
      join(other, 'copy/a.so'),
      join(root, 'lib/deep/b.so'),
    ];
    expect(paths(named.data.report).sort()).toEqual(expected.sort());
    expect(named.data.report[0]).toMatchObject({ path: join(other, 'big.so'), index_id: 'i3' });
    const all = await call({ filter: { ext: 'so' } }, both);
    expect(all.data.indexes).toEqual(
      expect.arrayContaining([
        { index_id: 'i1', root },
        { index_id: 'i3', root: other },
      ]),
    );
    expect(all.data.report).toEqual(named.data.report);
    expect((await text({ filter: { ext: 'so' } }, both)).split('\n')[0]).toContain(
      `${other}: 4 matches, 250kB`,
    );
    expect((await call({ filter: { ext: 'so' }, select: true }, both)).error.code).toBe('conflict');
  });

  test('equal files are found across them', async () => {
    const { data } = await call({ group_by: 'duplicates', filter: { ext: 'so' } }, both);
    expect(data.duplicates).toEqual([
      { wasted: 60_000, count: 2, size: 60_000, paths: expect.arrayContaining([join(root, 'lib/a.so')]) },
    ]);
  });

  test('an index inside another is not counted twice', async () => {
    await call({ root: join(root, 'lib') }, who, 'index');
    expect((await call({ filter: { ext: 'so' } })).data).toMatchObject({ root, counts: { matches: 2 } });
  });
});

describe('nothing found says why', () => {
  test.each([
    [{ filter: { name: 'zzz' } }, /: No match in \d+ entries\.$/],
    [{ filter: { path: 'lbi/**' } }, /There is no 'lbi' in \S+; the nearest name is 'lib'\.$/],
    [
      { path: 'app', filter: { path: 'src/mian/*' } },
      /There is no 'mian' in \S+\/app\/src(?:; the nearest name is 'main.ts')?\.$/,
    ],
    [{ filter: { kind: 'file', size: '>1GB' } }, /Alone: kind \d+, size 0\.$/],
    [
      { filter: { ext: 'zzip' }, group_by: 'folder' },
      /: No match in \d+ entries\. No file has the extension 'zzip'\.$/,
    ],
    [{ filter: { ext: 's' } }, /No file has the extension 's'; the nearest is '\w+'\.$/],
  ])('%j', async (input, message) => {
    expect(await text(input)).toMatch(message);
  });

  test('a folder that is not there', async () => {
    expect((await call({ path: 'lbi' })).error).toMatchObject({
      code: 'not_found',
      message: `Nothing exists at '${join(root, 'lbi')}'. Did you mean '${join(root, 'lib')}'?`,
    });
    expect((await call({ path: '/etc' })).error.code).toBe('path_not_allowed');
  });
});

describe('growth', () => {
  const place = emptyFolder();
  const me = { roots: [place], cwd: place, id: 'growth' };
  const grown = async (more: object = {}) =>
    (await call({ path: place, group_by: 'growth', ...more }, me)).data;

  test('is measured from the last index call; asking does not move the base', async () => {
    put(place, { 'logs/app/a': 1_000, 'logs/b': 500, 'old/file': 7_000, 'still/file': 1 });
    await call({ root: place }, me, 'index');
    expect(await text({ path: place, group_by: 'growth' }, me)).toContain('There is only one scan so far.');
    put(place, { 'logs/app/a': 4_000, 'logs/app/c': 200, 'new/deep/file': 2_500 });
    rmSync(join(place, 'old'), { recursive: true });
    const first = await grown();
    const row = (path: string) => first.growth.find((one: { path: string }) => one.path === path);
    expect(row('logs/app')).toMatchObject({ grown: 3_200, files: 1 });
    expect(row('old')).toMatchObject({ state: 'gone', files: -1 });
    expect(row('old').grown).toBeLessThanOrEqual(-7_000);
    expect(row('new')).toMatchObject({ state: 'new', files: 1 });
    expect(row('still')).toBeUndefined();
    expect(first.total.files).toBe(1);
    const sum = first.growth.reduce((all: number, one: { grown: number }) => all + one.grown, 0);
    expect(sum).toBe(first.total.grown);
    // A question in between, and another change: still from the same base.
    await call({ path: place, filter: { size: '>1' } }, me);
    await call({ path: join(place, 'logs') }, me, 'cd');
    put(place, { 'logs/b': 900 });
    const later = await grown();
    expect(later.since).toBe(first.since);
    expect(later.total.grown).toBe(first.total.grown + 400);
    expect(
      (await grown({ depth: 1 })).growth.find((one: { path: string }) => one.path === 'logs'),
    ).toMatchObject({
      grown: 3_600,
    });
  });

  test('is in the report of the next index call, which is the base from then on', async () => {
    const { data } = await call({ root: place }, me, 'index');
    expect(data).toMatchObject({ status: 'done', report: { files: 5, growth: { files: 1 } } });
    expect(data.report.growth.folders.map(({ path }: { path: string }) => path)).toContain('logs/app');
    put(place, { 'still/file': 1_001 });
    expect((await grown()).growth).toMatchObject([{ path: 'still', grown: 1_000 }]);
    expect((await grown({ since: '2026-01-01' })).growth.length).toBeGreaterThan(1);
  });
});

describe('index and job_progress wait', () => {
  test('for the report, or return at once', async () => {
    const place = emptyFolder();
    put(place, { 'sub/file': 2_000 });
    const me = { roots: [place], cwd: place, id: 'waits' };
    const started = (await call({ root: place, wait_seconds: 0 }, me, 'index')).data;
    expect(started.progress_url).toMatch(/\/api\/jobs\/j\d+\/events$/);
    const done = await call({ job_id: started.job_id, wait_seconds: 20 }, me, 'job_progress');
    expect(done.data).toMatchObject({ status: 'done', report: { files: 1, top: [{ name: 'sub' }] } });
    expect(done.links.largest).toMatch(/\/api\/indexes\/i\d+\/reports\/largest$/);
    const answer = await text({ root: place }, me, 'index');
    expect(answer).toMatch(/^i\d+ \S+\n1 file, 1 folder, 10\.2 kB, [\d.]+ kB on disk\n6\.1 kB sub$/);
  });
});
