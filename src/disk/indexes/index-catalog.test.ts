import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyFolder, madeTree } from '../../../test/disk/made-tree.ts';
import { ask } from '../../../test/support.ts';
import { openApp } from '../../app/open-app.ts';
import { rowOfPath } from '../tree/tree-nodes.ts';

type OpenApp = Awaited<ReturnType<typeof openApp>>;

function open(home: string, log: string[] = []): Promise<OpenApp> {
  return openApp({ home, log: (line) => log.push(line), baseUrl: () => 'http://127.0.0.1:4747' });
}

async function ended(house: OpenApp, id: string): Promise<string> {
  return new Promise((resolve) => {
    const look = (job: { status: string } | undefined) => {
      if (job !== undefined && !['queued', 'running'].includes(job.status)) resolve(job.status);
    };
    house.services.jobs.watch(id, look);
    void house.services.jobs.get(id).then(look);
  });
}

async function index(house: OpenApp, root: string): Promise<void> {
  const { body } = await ask(house, 'index', { root }, { roots: [root] });
  const status = await ended(house, body.data.job_id);
  expect([status, (await house.services.jobs.get(body.data.job_id))?.error]).toEqual(['done', undefined]);
}

describe('an index', () => {
  test('survives a restart with its node ids', async () => {
    const home = emptyFolder();
    const root = madeTree();
    const first = await open(home);
    await index(first, root);
    const before = (await ask(first, 'cd', { path: root }, { roots: [root] })).body.data.entries;
    await first.close();
    const second = await open(home);
    const after = (await ask(second, 'cd', { path: root }, { roots: [root] })).body.data.entries;
    expect(after).toEqual(before);
    await second.close();
  });

  test.each([
    [
      'damaged',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 1;
        writeFileSync(file, bytes);
      },
    ],
    ['missing', (file: string) => rmSync(file)],
  ])('whose file is %s is rebuilt, and old node ids are not used again', async (_what, damage) => {
    const home = emptyFolder();
    const root = madeTree();
    const first = await open(home);
    await index(first, root);
    const old = (await ask(first, 'cd', { path: root }, { roots: [root] })).body.data.entries[0].node_id;
    await first.close();
    const file = join(home, 'disk/i1/tree.idx');
    expect(statSync(file).mode & 0o077).toBe(0);
    damage(file);
    const log: string[] = [];
    const second = await open(home, log);
    const live = await ask(second, 'cd', { path: root }, { roots: [root] });
    expect(live.body.data.indexed).toBe(false);
    expect(log.join('\n')).toMatch(/disk: index i1 is damaged \(.*\); building it again/);
    const [job] = await second.services.jobs.list(undefined, 1);
    expect(await ended(second, job?.id ?? '')).toBe('done');
    const again = (await ask(second, 'cd', { path: root }, { roots: [root] })).body.data;
    expect(again.indexed).toBe(true);
    expect(Number.parseInt(again.entries[0].node_id.slice(1), 36)).toBeGreaterThan(
      Number.parseInt(old.slice(1), 36),
    );
    const gone = await ask(second, 'inspect', { node_id: old, index_id: 'i1' }, { roots: [root] });
    expect(gone.body.error.code).toBe('node_not_found');
    await second.close();
  });

  test('counts how fresh a folder is once, until something is heard about a folder', async () => {
    const root = madeTree();
    const house = await open(emptyFolder());
    await index(house, root);
    const { indexes } = house.services.disk;
    await indexes.watching('i1');
    const first = await indexes.open('i1');
    const docs = rowOfPath(first.tree, join(root, 'docs'));
    expect(first.freshAt(0)).toBe(first.fresh);
    expect((await indexes.open('i1')).freshAt(docs)).toBe(first.freshAt(docs));
    const before = first.freshAt(docs);
    indexes.suspect(first, docs);
    expect([before.changedFolders, first.freshAt(docs).changedFolders]).toEqual([0, 1]);
    await house.close();
  });

  test('whose file is lost keeps what people chose from it', async () => {
    const home = emptyFolder();
    const root = madeTree();
    const who = { roots: [root] };
    const first = await open(home);
    await index(first, root);
    const { nodes } = (
      await ask(
        first,
        'disk_find',
        { index_id: 'i1', filter: { any: ['big.bin', 'docs', 'a.txt'].map((name) => ({ name })) } },
        who,
      )
    ).body.data;
    const node_ids = nodes.map(({ node_id }: { node_id: string }) => node_id);
    const chosen = await ask(first, 'resource_set_create', { name: 'chosen', index_id: 'i1', node_ids }, who);
    const before = chosen.body.data;
    expect(before.counts).toMatchObject({ nodes: 3, files: 5 });
    await first.close();

    rmSync(join(home, 'disk'), { recursive: true });
    renameSync(join(root, 'a.txt'), join(root, 'b.txt'));
    const second = await open(home);
    await ask(second, 'cd', { path: root }, who);
    const [job] = await second.services.jobs.list(undefined, 1);
    expect(await ended(second, job?.id ?? '')).toBe('done');
    const { selection_id } = before;
    const after = (await ask(second, 'resource_set_get', { selection_id }, who)).body.data;
    expect(after.counts).toEqual({ nodes: 3, files: 4, dirs: before.counts.dirs, gone: 1 });
    expect(after.gone).toEqual([{ path: join(root, 'a.txt'), size: 0 }]);
    const { entries } = (await ask(second, 'resource_set_entries', { selection_id }, who)).body.data;
    expect(entries.map(({ path }: { path: string }) => path).sort()).toEqual(
      ['a.txt', 'big.bin', 'docs'].map((name) => join(root, name)),
    );
    await second.close();
  });

  test('asked for twice at once is one job; cancelling it leaves nothing half made', async () => {
    const home = emptyFolder();
    const house = await open(home);
    const ask1 = ask(house, 'index', { root: '/usr', wait_seconds: 0 }, { roots: ['/usr'] });
    const ask2 = ask(house, 'index', { root: '/usr', wait_seconds: 0 }, { roots: ['/usr'] });
    const [one, two] = await Promise.all([ask1, ask2]);
    expect(one.body.data.job_id).toBe(two.body.data.job_id);
    await house.services.jobs.cancel(one.body.data.job_id);
    expect(await ended(house, one.body.data.job_id)).toBe('cancelled');
    expect((await ask(house, 'cd', { path: '/usr' }, { roots: ['/usr'] })).body.data.indexed).toBe(false);
    expect((await ask(house, 'disk_tree', { index_id: 'i1' }, { roots: ['/usr'] })).body.error.code).toBe(
      'index_not_found',
    );
    await house.close();
  });

  test('inside another is preferred for what it covers, and a caller sees only its own part', async () => {
    const home = emptyFolder();
    const house = await open(home);
    const outer = madeTree();
    const inner = join(outer, 'docs');
    await index(house, outer);
    await index(house, inner);
    const data = (path: string, roots: string[]) =>
      ask(house, 'cd', { path }, { roots, id: path + roots.join() });
    expect((await data(inner, [outer])).body.data.index_id).toBe('i2');
    expect((await data(join(outer, 'src'), [outer])).body.data.index_id).toBe('i1');
    const part = await ask(
      house,
      'query_run',
      { filter: { kind: 'file' }, index_id: 'i1' },
      { roots: [inner] },
    );
    expect(part.body.data.counts.matches).toBe(3);
    expect(
      (await ask(house, 'disk_largest', { index_id: 'i1' }, { roots: [join(outer, 'src')] })).body.data.files,
    ).toHaveLength(5);
    const outside = await ask(house, 'disk_largest', { index_id: 'i1', under: outer }, { roots: [inner] });
    expect(outside.body.error.code).toBe('path_not_allowed');
    await house.close();
  });

  test('of a folder that vanished fails in words and keeps what it had', async () => {
    const home = emptyFolder();
    const house = await open(home);
    const root = join(emptyFolder(), 'short');
    mkdirSync(root);
    await index(house, root);
    rmSync(root, { recursive: true });
    const { job } = await house.services.disk.indexes.startIndex({
      root,
      allowed: [],
      followSymlinks: false,
      oneFileSystem: true,
      exclude: [],
      full: true,
    });
    expect(await ended(house, job.id)).toBe('failed');
    expect((await house.services.jobs.get(job.id))?.error).toMatch(/cannot be scanned \(vanished\)/);
    await house.close();
  });
});
