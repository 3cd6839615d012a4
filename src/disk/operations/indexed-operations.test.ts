import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { emptyFolder, madeTree } from '../../../test/disk/made-tree.ts';
import { ask, temporaryApp } from '../../../test/support.ts';
import { painter } from '../../contract/painted-text.ts';
import { cd } from './cd.ts';

const house = await temporaryApp();
const root = madeTree();
const who = { roots: [root], cwd: root };

/** Starts an index and waits for the job's own signal that it has ended. */
async function indexed(path: string, input: object = {}) {
  const { body } = await ask(house, 'index', { root: path, ...input }, { roots: [path] });
  const id = body.data.job_id;
  await new Promise<void>((resolve) => {
    const stop = house.services.jobs.watch(id, (job) => {
      if (job.status !== 'done' && job.status !== 'failed') return;
      stop();
      resolve();
    });
    void house.services.jobs.get(id).then((job) => job?.status === 'done' && resolve());
  });
  return {
    id,
    report: (await ask(house, 'job_progress', { job_id: id }, { roots: [path] })).body.data.report,
  };
}

const call = async (operation: string, input: object, caller: object = who) =>
  (await ask(house, operation, { ...input }, caller)).body;

beforeAll(async () => {
  await indexed(root);
});

describe('index', () => {
  test('reports totals, the largest folders and nothing more', async () => {
    const other = madeTree();
    const { report } = await indexed(other);
    expect(report).toMatchObject({ generation: 1, files: 18, dirs: 11 });
    expect(report.top[0]).toEqual({ name: 'more', size: 58_192 });
    const again = await indexed(other);
    expect(again.report).toMatchObject({ changed: false });
  });

  test('is listed with its age and totals, for those who may see it', async () => {
    const { data } = await call('disk_indexes', {});
    expect(data.indexes).toHaveLength(1);
    expect(data.indexes[0]).toMatchObject({ index_id: 'i1', root, status: 'ready', files: 18, dirs: 11 });
    expect((await call('disk_indexes', {}, { roots: [emptyFolder()] })).data.indexes).toEqual([]);
    expect((await call('disk_index', { index_id: 'i1' }, { roots: [emptyFolder()] })).error.code).toBe(
      'index_not_found',
    );
    expect((await call('disk_tree', { index_id: 'i1' }, { roots: [emptyFolder()] })).error.code).toBe(
      'path_not_allowed',
    );
  });
});

describe('cd', () => {
  test('shows totals of folders, and all sizes add up', async () => {
    const { data, pagination } = await call('cd', { path: root });
    expect(data).toMatchObject({ index_id: 'i1', indexed: true });
    expect(pagination.has_more).toBe(false);
    const docs = data.entries.find((entry: { name: string }) => entry.name === 'docs');
    expect(docs).toMatchObject({ kind: 'dir', counts: { files: 3, dirs: 4 } });
    const sum = data.entries.reduce((total: number, entry: { size: number }) => total + entry.size, 0);
    expect(sum + data.total.own - (data.total.shared ?? 0)).toBe(data.total.size);
    expect(data.total.shared).toBe(50_000);
    const sparse = data.entries.find((entry: { name: string }) => entry.name === 'sparse');
    expect(sparse.disk_size).toBeLessThan(1 << 20);
  });

  test('names the way to the folder by handle, the nearest levels of it', async () => {
    const { data: top } = await call('cd', { path: root });
    const [{ node_id: first }] = top.breadcrumb;
    expect(top.breadcrumb).toEqual([{ node_id: first, name: root }]);
    const { data } = await call('cd', { path: join(root, 'docs/deep') });
    const names = data.breadcrumb.map(({ name }: { name: string }) => name);
    expect(names).toEqual([root, 'docs', 'deep']);
    const { data: docs } = await call('inspect', { node_id: data.breadcrumb[1].node_id });
    expect(docs.path).toBe(join(root, 'docs'));
    const { data: deep } = await call('cd', { path: join(root, 'docs/deep/er/and/deeper') });
    expect(deep.breadcrumb.map(({ name }: { name: string }) => name)).toEqual([
      ...['docs', 'deep', 'er', 'and', 'deeper'],
    ]);
    const unknown = emptyFolder();
    expect((await call('cd', { path: unknown }, { roots: [unknown] })).data.breadcrumb).toBeUndefined();
  });

  test.each(['size', 'name', 'modified'])(
    'sorted by %s: pages join to the whole, before + entries + rest is the total',
    async (sort) => {
      const whole = (await call('cd', { path: root, sort, limit: 100 })).data.entries.map(
        (entry: { name: string }) => entry.name,
      );
      const paged: string[] = [];
      let page = await call('cd', { path: root, sort, limit: 3 });
      for (;;) {
        const { entries, before, rest, total } = page.data;
        const shown = entries.reduce((sum: number, entry: { size: number }) => sum + entry.size, 0);
        expect((before?.size ?? 0) + shown + (rest?.size ?? 0) + total.own - total.shared).toBe(total.size);
        paged.push(...entries.map((entry: { name: string }) => entry.name));
        if (!page.pagination.has_more) break;
        page = await call('cd', { cursor: page.pagination.next_cursor });
      }
      expect(paged).toEqual(whole);
    },
  );

  test('sees what changed since the scan: new names at once, growth inside a file as well', async () => {
    const live = emptyFolder();
    mkdirSync(join(live, 'sub'));
    writeFileSync(join(live, 'sub/old'), 'x'.repeat(10));
    writeFileSync(join(live, 'sub/gone'), 'x');
    await indexed(live);
    const caller = { roots: [live], id: 'live' };
    expect((await call('cd', { path: join(live, 'sub') }, caller)).data.changed).toBeUndefined();
    appendFileSync(join(live, 'sub/old'), 'y'.repeat(10));
    const grown = (await call('cd', { path: join(live, 'sub') }, caller)).data.entries.find(
      (e: { name: string }) => e.name === 'old',
    );
    expect(grown.size).toBe(20);
    writeFileSync(join(live, 'sub/new'), 'x'.repeat(500));
    rmSync(join(live, 'sub/gone'));
    const { data } = await call('cd', { path: join(live, 'sub') }, caller);
    expect(data.entries.map((e: { name: string }) => e.name).sort()).toEqual(['new', 'old']);
    // The folder was scanned again, so the total is that of the entries.
    expect(data.changed).toBeUndefined();
    expect(data.total).toMatchObject({ files: 2, size: data.total.own + 520 });
  });
});

test('a folder that could not be read is not called empty', () => {
  const data = { cwd: '/x', shell: 'w1', indexed: true, index_id: 'i1', scanned: 'now', entries: [] };
  const style = { units: 'si', now: 0, zone: 'UTC', paint: painter(undefined) } as const;
  const total = { size: 5_000, disk_size: 8_192, files: 0, dirs: 0, own: 4_096 };
  expect(cd.text({ ...data, total }, style)).toBe('/x  5.0 kB, 8.2 kB on disk  0 entries  i1 w1\n(empty)');
  expect(cd.text({ ...data, unreadable: true, total: { ...total, at_least: true } }, style)).toBe(
    '/x  at least 5.0 kB, 8.2 kB on disk  0 entries  i1 w1\n(the system denied access)',
  );
});

describe('inspect', () => {
  test('by node and by path tells the same, with totals and links', async () => {
    const { entries } = (await call('cd', { path: root })).data;
    const docs = entries.find((entry: { name: string }) => entry.name === 'docs');
    const byNode = await call('inspect', { node_id: docs.node_id, index_id: 'i1' });
    const byPath = await call('inspect', { path: join(root, 'docs') });
    expect(byNode.data).toEqual(byPath.data);
    expect(byNode.data.total).toMatchObject({ size: docs.size, files: 3, dirs: 4 });
    expect(byNode.links.children).toContain(`/api/indexes/i1/tree?parent=${docs.node_id}`);
    const file = await call('inspect', { path: join(root, 'a.txt') });
    expect(file.links.download).toMatch(/\/api\/indexes\/i1\/nodes\/n[0-9a-z]+\/content$/);
  });

  test('of a node whose file is gone tells what the scan knew', async () => {
    const live = emptyFolder();
    mkdirSync(join(live, 'sub/below'), { recursive: true });
    writeFileSync(join(live, 'sub/file'), 'x'.repeat(500));
    await indexed(live);
    const caller = { roots: [live], id: 'gone', cwd: live };
    const ids: string[] = [];
    for (const path of ['sub', 'sub/file', 'sub/below'])
      ids.push((await call('inspect', { path: join(live, path) }, caller)).data.node_id);
    rmSync(join(live, 'sub'), { recursive: true });
    const [sub, file] = await Promise.all(ids.map((node_id) => call('inspect', { node_id }, caller)));
    expect(sub.data).toMatchObject({ gone: true, kind: 'dir', total: { files: 1, dirs: 1 } });
    expect(file.data).toMatchObject({ gone: true, path: join(live, 'sub/file'), size: 500 });
    expect(file.links.download).toBeUndefined();
    expect(file.data.permissions).toBeUndefined();
    expect((await call('inspect', { node_id: ids[1], digest: true }, caller)).error.message).toContain(
      'no longer there',
    );
    expect((await call('inspect', { path: join(live, 'sub') }, caller)).error.code).toBe('not_found');
  });

  test('of a node that is not there, or not allowed, says so', async () => {
    expect((await call('inspect', { node_id: 'nzzzz', index_id: 'i1' })).error.code).toBe('node_not_found');
    expect((await call('inspect', { node_id: 'x1', index_id: 'i1' })).error.code).toBe('invalid_parameter');
    expect((await call('inspect', { node_id: 'n1', index_id: 'i99' })).error.code).toBe('index_not_found');
    expect(
      (await call('inspect', { node_id: 'n1', index_id: 'i1' }, { roots: [emptyFolder()] })).error.code,
    ).toBe('path_not_allowed');
    expect((await call('inspect', {})).error.message).toBe('Give path or node_id.');
  });
});

test('what is left of a folder that is not indexed has no size', async () => {
  const place = emptyFolder();
  for (const name of ['a', 'b', 'c']) mkdirSync(join(place, name));
  writeFileSync(join(place, 'file'), 'x'.repeat(100));
  const me = { roots: [place], cwd: place, id: 'unindexed' };
  const first = await call('cd', { path: place, limit: 2 }, me);
  expect(first.data).toMatchObject({ indexed: false, rest: { entries: 2 } });
  expect(first.data.rest.size).toBeUndefined();
  const next = (await call('cd', { cursor: first.pagination.next_cursor }, me)).data;
  expect(next.before).toEqual({ entries: 2 });
});

describe('queries and sets', () => {
  test('a filter gives a small report, and a selection if asked for', async () => {
    const asked = { filter: { all: [{ kind: 'file' }, { size: '>=1000' }] }, index_id: 'i1' };
    const { data, meta } = await call('query_run', asked);
    expect(data.counts.matches).toBe(10);
    expect(data).toMatchObject({ root, index_id: 'i1' });
    expect(data.report.slice(0, 2)).toMatchObject([
      { path: 'sparse', size: 1 << 30, disk_size: 0 },
      { path: 'big.bin', kind: 'file', size: 300_000 },
    ]);
    const few = (await call('query_run', { ...asked, limit: 2 })).data;
    expect(few.report).toEqual(data.report.slice(0, 2));
    const shown = few.report[0].size + few.report[1].size;
    expect(shown + few.rest.size - (few.overlap ?? 0)).toBe(few.total_size);
    expect(data.selection_id).toBeUndefined();
    expect((await call('query_run', { ...asked, select: true })).data.selection_id).toMatch(/^s\d+$/);
    expect(meta.bytes).toBeLessThan(2_500);
  });

  test('a filter given as text is kept as what it says', async () => {
    const { query_id } = (
      await call('query_run', { filter: '{"size":">=1000"}', index_id: 'i1', save_as: 'text' })
    ).data;
    expect((await call('query_get', { query_id })).data.filter).toEqual({ size: '>=1000' });
    const byName = await call('query_get', { query_id: 'text' });
    expect(byName.data).toMatchObject({ query_id, filter: { size: '>=1000' } });
    const cards = (await call('query_list', {})).data.queries;
    expect(cards[0]).toMatchObject({ query_id, filter_summary: '{"size":">=1000"}' });
  });

  test('a saved query fills its own set, keeps a history, and replaces, appends or merges', async () => {
    const place = emptyFolder();
    for (const name of ['a.log', 'b.log', 'c.txt']) writeFileSync(join(place, name), name.repeat(100));
    await indexed(place);
    const me = { roots: [place], cwd: place, id: 'queries' };
    const first = (await call('query_run', { filter: { name: '*.log' }, save_as: 'logs' }, me)).data;
    expect(first.counts.matches).toBe(2);
    const set = first.selection_id;
    rmSync(join(place, 'a.log'));
    writeFileSync(join(place, 'd.log'), 'd');
    await indexed(place);
    const appended = (await call('query_run', { query_id: first.query_id, mode: 'append' }, me)).data;
    expect(appended).toMatchObject({ selection_id: set, counts: { matches: 2 } });
    const card = (await call('resource_set_get', { selection_id: set }, me)).data;
    expect(card.counts).toEqual({ nodes: 3, files: 2, dirs: 0, gone: 1 });
    expect(card.gone).toEqual([{ path: join(place, 'a.log'), size: 500 }]);
    await call('query_run', { query_id: first.query_id, mode: 'merge' }, me);
    expect((await call('resource_set_get', { selection_id: set }, me)).data.counts).toEqual({
      nodes: 2,
      files: 2,
      dirs: 0,
    });
    const query = (await call('query_get', { query_id: first.query_id }, me)).data;
    expect(query).toMatchObject({ name: 'logs', filter: { name: '*.log' } });
    expect(query.runs.map((run: { matches: number }) => run.matches)).toEqual([2, 2, 2]);
    expect((await call('query_list', {}, me)).data.queries[0]).toMatchObject({
      query_id: first.query_id,
      filter_summary: '{"name":"*.log"}',
    });
  });

  test('a set is made, changed and forgotten by node ids', async () => {
    const { entries } = (await call('cd', { path: root })).data;
    const id = (name: string) => entries.find((entry: { name: string }) => entry.name === name).node_id;
    const made = (
      await call('resource_set_create', { name: 'mine', index_id: 'i1', node_ids: [id('docs'), id('links')] })
    ).data;
    expect(made.counts).toMatchObject({ nodes: 2, files: 9, dirs: 6 });
    // Of the file with five names one stays elsewhere: removing the set would not free it.
    expect(made.freed).toBeLessThan(made.total_disk_size);
    const more = (
      await call('resource_set_update', {
        selection_id: made.selection_id,
        add: [id('more')],
        remove: [id('docs')],
        name: 'ours',
      })
    ).data;
    expect(more).toMatchObject({ name: 'ours', counts: { nodes: 2 } });
    expect(more.freed).toBe(more.total_disk_size);
    const listed = (await call('resource_set_entries', { selection_id: made.selection_id })).data.entries;
    expect(listed.map((entry: { path: string }) => entry.path).sort()).toEqual([
      join(root, 'links'),
      join(root, 'more'),
    ]);
    expect((await call('resource_set_delete', { selection_id: made.selection_id })).data.deleted).toBe(true);
    expect((await call('resource_set_get', { selection_id: made.selection_id })).error.code).toBe(
      'not_found',
    );
  });

  test('explain shows the steps instead of the data', async () => {
    const { data } = await call(
      'query_run',
      { filter: { name: { regex: 'lea.*log$' } }, index_id: 'i1' },
      { ...who, explain: true },
    );
    expect(data).toMatchObject({ steps: ['names containing "lea", then regex'], matches: 1 });
  });
});

describe('reports', () => {
  test('largest, by allocated bytes and by size', async () => {
    const { data } = await call('disk_largest', { index_id: 'i1', limit: 2 });
    expect(data.files.map((file: { path: string }) => file.path)).toEqual([
      join(root, 'big.bin'),
      join(root, 'links/original'),
    ]);
    const bySize = await call('disk_largest', { index_id: 'i1', by: 'size', limit: 1 });
    expect(bySize.data.files[0].path).toBe(join(root, 'sparse'));
  });

  test('the oldest files first', async () => {
    const { data } = await call('disk_largest', { index_id: 'i1', by: 'age', limit: 200 });
    const days: string[] = data.files.map((file: { modified_at: string }) => file.modified_at);
    expect(days.length).toBeGreaterThan(3);
    expect(days).toEqual([...days].sort());
  });

  test('an index says how large and how free its file system is', async () => {
    const { volume } = (await call('disk_index', { index_id: 'i1' })).data;
    expect(volume.size).toBeGreaterThan(0);
    expect(volume.free).toBeLessThanOrEqual(volume.size);
  });

  test('extensions and ages add up to the folder', async () => {
    const total = (await call('cd', { path: root })).data.total.disk_size;
    for (const report of ['disk_extensions', 'disk_ages']) {
      const { groups } = (await call(report, { under: root })).data;
      expect(groups.reduce((sum: number, group: { disk_size: number }) => sum + group.disk_size, 0)).toBe(
        total,
      );
    }
  });

  test('duplicates by content, names of one file left out', async () => {
    const place = emptyFolder();
    for (const name of ['one', 'two', 'three']) writeFileSync(join(place, name), 'same'.repeat(5_000));
    writeFileSync(join(place, 'other'), 'diff'.repeat(5_000));
    writeFileSync(join(place, 'late'), `${'same'.repeat(4_999)}diff`);
    await indexed(place);
    const { data } = await call('disk_duplicates', { under: place }, { roots: [place] });
    expect(data.groups).toHaveLength(1);
    expect(data.groups[0]).toMatchObject({ size: 20_000, count: 3 });
    expect(data.groups[0].files.map((file: { path: string }) => file.path).sort()).toEqual(
      ['one', 'three', 'two'].map((name) => join(place, name)),
    );
    const found = await call('query_run', { filter: { duplicates: true } }, { roots: [place] });
    expect(found.data.counts.matches).toBe(3);
    const again = await call('disk_duplicates', { under: place, min_size: 2 }, { roots: [place] });
    expect(again.meta.files_hashed).toBe(0);
  });

  test('growth since the scan before, and the history of a folder', async () => {
    const place = emptyFolder();
    mkdirSync(join(place, 'logs/app'), { recursive: true });
    mkdirSync(join(place, 'still'));
    writeFileSync(join(place, 'logs/app/a'), 'x');
    await indexed(place);
    const me = { roots: [place], cwd: place, id: 'growth' };
    expect((await call('disk_growth', { under: place }, me)).data).toEqual({ folders: [] });
    writeFileSync(join(place, 'logs/app/b'), 'x'.repeat(100_000));
    await indexed(place);
    const { folders, generation } = (await call('disk_growth', { under: place }, me)).data;
    expect(generation).toBe(1);
    expect(folders[0]).toMatchObject({ path: join(place, 'logs/app') });
    expect(folders[0].grown).toBeGreaterThanOrEqual(100_000);
    const { history } = (await call('inspect', { path: join(place, 'logs') }, me)).data;
    expect(history).toHaveLength(2);
    expect(history[0].disk_size - history[1].disk_size).toBe(folders[0].grown);
  });

  test('a folder that went is named by where it was, and what lay in it is not told again', async () => {
    const place = emptyFolder();
    for (const name of ['old/deep/er', 'old-er', 'stays/part']) {
      mkdirSync(join(place, name), { recursive: true });
      writeFileSync(join(place, name, 'file'), 'x'.repeat(20_000));
    }
    await indexed(place);
    const me = { roots: [place], cwd: place, id: 'gone' };
    const sizes = (await call('disk_tree', { index_id: (await call('cd', {}, me)).data.index_id }, me)).data;
    rmSync(join(place, 'old/deep'), { recursive: true });
    rmSync(join(place, 'stays/part'), { recursive: true });
    await indexed(place);
    rmSync(join(place, 'old'), { recursive: true });
    await indexed(place);
    const { folders } = (await call('disk_growth', { under: place, since: '2026-01-01' }, me)).data;
    const gone = folders.filter((folder: { gone?: boolean }) => folder.gone);
    const sizeOf = (name: string) =>
      sizes.entries.find((entry: { name: string }) => entry.name === name).disk_size;
    expect(gone.map(({ path, grown }: { path: string; grown: number }) => [path, grown])).toEqual([
      [join(place, 'old'), -sizeOf('old')],
      [join(place, 'stays/part'), -24_576],
    ]);
    const { folders: below } = (
      await call('disk_growth', { under: join(place, 'stays'), since: '2026-01-01' }, me)
    ).data;
    expect(below.map((folder: { path: string }) => folder.path).sort()).toEqual([
      join(place, 'stays'),
      join(place, 'stays/part'),
    ]);
  });

  test('two indexes are compared by the paths below their roots', async () => {
    const copy = madeTree();
    writeFileSync(join(copy, 'docs/extra'), 'x'.repeat(50_000));
    await indexed(copy);
    const both = { roots: [root, copy] };
    const indexes = (await call('disk_indexes', {}, both)).data.indexes;
    const other = indexes.find((index: { root: string }) => index.root === copy).index_id;
    const { folders } = (await call('disk_compare', { index_id: 'i1', other }, both)).data;
    expect(folders.map((folder: { path: string }) => folder.path)).toEqual(['.', 'docs']);
    expect(folders[1].difference).toBe(53_248);
  });
});

describe('bad filters say where', () => {
  test.each([
    [
      { all: [{ name: '*.log' }, { size: '>100XB' }] },
      'filter.all[1].size',
      /'>100XB' is not understood; write a size as/,
    ],
    [{ any: [] }, 'filter.any', /must not be empty/],
    [{ not: { modified: 'yesterday' } }, 'filter.not.modified', /write an age as '<7d'/],
    [{ nam: '*' }, 'filter', /unknown test 'nam'; use one of all, any/],
    [{ name: { regex: '(' } }, 'filter.name.regex', /unclosed group at character 1/],
    [{ name: { regex: 'a', flags: 'x' } }, 'filter.name', /must be a glob such as/],
    [{ name: '[a' }, 'filter.name', /'\[' without '\]'/],
    [{ kind: 'folder' }, 'filter.kind[0]', /must be one of file, dir/],
    [{}, 'filter', /at least one test/],
    [{ depth: 'deep' }, 'filter.depth', /write a depth as/],
    [{ all: [{ all: [{ any: [{ not: 7 }] }] }] }, 'filter.all[0].all[0].any[0].not', /must be an object/],
  ])('%j', async (filter, place, message) => {
    const { error } = await call('query_run', { filter, index_id: 'i1' });
    expect(error.code).toBe('invalid_parameter');
    expect(error.details.place).toBe(place);
    expect(error.message).toMatch(message);
    expect(error.message.startsWith(`${place}: `)).toBe(true);
  });
});

test('over REST, lists of handles link each row to what it names', async () => {
  const script = { ...who, door: 'rest' as const };
  await call('query_run', { index_id: 'i1', filter: { kind: 'file' }, save_as: 'linked' });
  const [index] = (await call('disk_indexes', {}, script)).data.indexes;
  expect(index.link).toBe('http://127.0.0.1:4747/api/indexes/i1');
  const [query] = (await call('query_list', {}, script)).data.queries;
  expect(query.link).toBe(`http://127.0.0.1:4747/api/queries/${query.query_id}`);
  const { data, links } = await call('resource_set_list', {}, script);
  const [{ link, selection_id }] = data.selections;
  expect(link).toBe(`http://127.0.0.1:4747/api/resource-sets/${selection_id}`);
  expect(links.entries).toBe('http://127.0.0.1:4747/api/resource-sets/{selection_id}/entries');
  await call('disk_plan_create', { selection_id }, { ...script, door: 'page' });
  const [plan] = (await call('disk_plans', {}, script)).data.plans;
  expect(plan.link).toBe(`http://127.0.0.1:4747/api/plans/${plan.plan_id}`);
});
