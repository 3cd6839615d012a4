import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyFolder } from './disk/made-tree.ts';
import { ask, temporaryHouse } from './support.ts';

const house = await temporaryHouse();
const data = emptyFolder();
vi.stubEnv('XDG_DATA_HOME', data);
const trash = join(data, 'Trash');
const person = (root: string) => ({ door: 'cli' as const, roots: [root], cwd: root, id: root });

let root = '';
let set = '';

const call = async (operation: string, input: object, caller: object = person(root)) =>
  (await ask(house, operation, { ...input }, caller)).body;

async function index(): Promise<void> {
  const { job_id } = (await call('index', { root })).data;
  await new Promise<void>((resolve) => {
    house.services.jobs.watch(job_id, (job) => job.status === 'done' && resolve());
    void house.services.jobs.get(job_id).then((job) => job?.status === 'done' && resolve());
  });
}

beforeEach(async () => {
  root = emptyFolder();
  mkdirSync(join(root, 'old/cache'), { recursive: true });
  writeFileSync(join(root, 'old/cache/blob'), 'x'.repeat(100_000));
  writeFileSync(join(root, 'old/note'), 'note');
  writeFileSync(join(root, 'shared'), 'y'.repeat(50_000));
  linkSync(join(root, 'shared'), join(root, 'kept'));
  writeFileSync(join(root, 'stays'), 'z');
  await index();
  set = (await call('query_run', { filter: { any: [{ path: 'old' }, { name: 'shared' }] } })).data
    .selection_id;
});

describe('a plan', () => {
  test('is a dry run that says what it really frees', async () => {
    const plan = (await call('disk_plan_create', { selection_id: set })).data;
    expect(plan).toMatchObject({ status: 'planned', items: 2, files: 3, dirs: 2 });
    expect(plan.disk_size - plan.freed).toBe(53_248);
    expect(plan.warnings).toEqual({ 'bytes stay: hard links elsewhere': 1 });
    expect(readdirSync(root).sort()).toEqual(['kept', 'old', 'shared', 'stays']);
  });

  test('is carried out by a person only, who says how many', async () => {
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    for (const door of ['mcp', 'rest'] as const) {
      const refused = await call('disk_plan_run', { plan_id, confirm: 2 }, { ...person(root), door });
      expect(refused.error.code).toBe('path_not_allowed');
    }
    expect((await call('disk_plan_run', { plan_id })).error.message).toMatch(/confirm 2/);
    expect((await call('disk_plan_run', { plan_id, confirm: 3 })).error.code).toBe('invalid_parameter');
    expect(existsSync(join(root, 'old'))).toBe(true);
  });

  test('moves to the trash, is undone to the byte, and runs once', async () => {
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    expect((await call('disk_plan_run', { plan_id, confirm: 2 })).data).toMatchObject({
      moved: 2,
      failed: 0,
    });
    expect(readdirSync(root).sort()).toEqual(['kept', 'stays']);
    const info = readdirSync(join(trash, 'info')).map((name) =>
      readFileSync(join(trash, 'info', name), 'utf8'),
    );
    expect(info.some((text) => text.startsWith(`[Trash Info]\nPath=${root}/old\nDeletionDate=`))).toBe(true);
    expect((await call('disk_plan_run', { plan_id, confirm: 2 })).error.code).toBe('conflict');
    expect((await call('disk_plan_undo', { plan_id })).data).toMatchObject({ moved: 2, failed: 0 });
    expect(readFileSync(join(root, 'old/cache/blob'), 'utf8')).toBe('x'.repeat(100_000));
    expect(readFileSync(join(root, 'shared'), 'utf8')).toBe('y'.repeat(50_000));
    expect(readdirSync(join(trash, 'files'))).toEqual([]);
    expect(readdirSync(join(trash, 'info'))).toEqual([]);
    expect((await call('disk_plan', { plan_id })).data.status).toBe('undone');
  });

  test.each([
    ['a changed file', () => writeFileSync(join(root, 'shared'), 'other'), /changed since the plan/],
    [
      'another file in its place',
      () => {
        rmSync(join(root, 'shared'));
        writeFileSync(join(root, 'shared'), 'y'.repeat(50_000));
      },
      /changed since the plan/,
    ],
    ['a file that is gone', () => rmSync(join(root, 'shared')), /it is gone/],
  ])('leaves alone %s', async (_what, change, reason) => {
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    change();
    const { data: done } = await call('disk_plan_run', { plan_id, confirm: 2 });
    expect(done).toMatchObject({ moved: 1, failed: 1 });
    expect(done.failures[0]).toMatchObject({ path: join(root, 'shared') });
    expect(done.failures[0].reason).toMatch(reason);
    await call('disk_plan_undo', { plan_id });
  });

  test('does not follow a folder that became a link', async () => {
    set = (await call('query_run', { filter: { name: 'note' } })).data.selection_id;
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    renameSync(join(root, 'old'), join(root, 'moved'));
    symlinkSync(join(root, 'moved'), join(root, 'old'));
    const { data: done } = await call('disk_plan_run', { plan_id, confirm: 1 });
    expect(done.failures).toEqual([
      { path: join(root, 'old/note'), reason: 'a folder on the way became a link' },
    ]);
    expect(existsSync(join(root, 'moved/note'))).toBe(true);
  });

  test('undo overwrites nothing', async () => {
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    await call('disk_plan_run', { plan_id, confirm: 2 });
    writeFileSync(join(root, 'shared'), 'new one');
    mkdirSync(join(root, 'old'));
    const { data: undone } = await call('disk_plan_undo', { plan_id });
    expect(undone).toMatchObject({ moved: 0, failed: 2 });
    expect(readFileSync(join(root, 'shared'), 'utf8')).toBe('new one');
    rmSync(join(root, 'shared'));
    rmSync(join(root, 'old'), { recursive: true });
    expect((await call('disk_plan_undo', { plan_id })).data).toMatchObject({ moved: 2, failed: 0 });
  });
});
