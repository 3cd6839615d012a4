import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { madeGitIndex } from '../../../test/disk/git-index.ts';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { ask, temporaryApp } from '../../../test/support.ts';
import { loadDriver } from '../../store/sqlite.ts';

const house = await temporaryApp();
const data = emptyFolder();
vi.stubEnv('XDG_DATA_HOME', data);
const trash = join(data, 'Trash');
const person = (root: string) => ({ door: 'cli' as const, roots: [root], cwd: root, id: root });

/** The journal as a crash would have left it. */
function journal(sql: string): void {
  const connection = new (loadDriver())(join(house.home, 'pinhole.db'));
  connection.exec(sql);
  connection.close();
}

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
  set = (await call('query_run', { select: true, filter: { any: [{ path: 'old' }, { name: 'shared' }] } }))
    .data.selection_id;
});

describe('a plan', () => {
  test('is a dry run that says what it really frees', async () => {
    const plan = (await call('disk_plan_create', { selection_id: set })).data;
    expect(plan).toMatchObject({ status: 'planned', items: 2, files: 3, dirs: 2 });
    expect(plan.disk_size - plan.freed).toBe(53_248);
    expect(plan.warnings).toEqual({ 'bytes are not freed: hard links elsewhere': 1 });
    expect(readdirSync(root).sort()).toEqual(['kept', 'old', 'shared', 'stays']);
  });

  test('is carried out by a person only, who says how many', async () => {
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    for (const door of ['mcp', 'rest'] as const) {
      const refused = await call('disk_plan_run', { plan_id, confirm: 2 }, { ...person(root), door });
      expect(refused.error.code).toBe('forbidden');
    }
    expect((await call('disk_plan_run', { plan_id })).error).toMatchObject({
      message: 'This moves 2 items to the trash. Confirm that number.',
      next: { operation: 'disk_plan_run', input: { plan_id, confirm: 2 } },
    });
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
    ['a file that is gone', () => rmSync(join(root, 'shared')), /it no longer exists/],
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
    set = (await call('query_run', { select: true, filter: { name: 'note' } })).data.selection_id;
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    renameSync(join(root, 'old'), join(root, 'moved'));
    symlinkSync(join(root, 'moved'), join(root, 'old'));
    const { data: done } = await call('disk_plan_run', { plan_id, confirm: 1 });
    expect(done.failures).toEqual([
      { path: join(root, 'old/note'), reason: 'a folder in its path became a link' },
    ]);
    expect(existsSync(join(root, 'moved/note'))).toBe(true);
  });

  test('undo does not move through a folder that became a link', async () => {
    mkdirSync(join(root, 'deep/inner'), { recursive: true });
    writeFileSync(join(root, 'deep/inner/lone'), 'mine');
    await index();
    set = (await call('query_run', { select: true, filter: { any: [{ name: 'note' }, { name: 'lone' }] } }))
      .data.selection_id;
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    expect((await call('disk_plan_run', { plan_id, confirm: 2 })).data).toMatchObject({ moved: 2 });
    const outside = emptyFolder();
    // The folder itself, and the one above a folder that is gone.
    renameSync(join(root, 'old'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'old'));
    rmSync(join(root, 'deep'), { recursive: true });
    symlinkSync(outside, join(root, 'deep'));
    const { data: undone } = await call('disk_plan_undo', { plan_id });
    const reason = 'a folder in its path became a link';
    expect(undone.failures.map((each: { reason: string }) => each.reason)).toEqual([reason, reason]);
    expect(readdirSync(outside)).toEqual([]);
    rmSync(join(root, 'old'));
    rmSync(join(root, 'deep'));
    renameSync(join(root, 'moved'), join(root, 'old'));
    expect((await call('disk_plan_undo', { plan_id })).data).toMatchObject({ moved: 2, failed: 0 });
    expect(readFileSync(join(root, 'deep/inner/lone'), 'utf8')).toBe('mine');
  });

  test('undo takes no other file that has the number of the moved one by now', async () => {
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    await call('disk_plan_run', { plan_id, confirm: 2 });
    const moved = join(trash, 'files/shared');
    writeFileSync(moved, 'another one');
    const { data: undone } = await call('disk_plan_undo', { plan_id });
    expect(undone.failures).toEqual([
      { path: join(root, 'shared'), reason: 'what is in the trash has changed since' },
    ]);
    expect(existsSync(join(root, 'shared'))).toBe(false);
    rmSync(trash, { recursive: true });
  });

  test('undo overwrites nothing', async () => {
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    await call('disk_plan_run', { plan_id, confirm: 2 });
    writeFileSync(join(root, 'shared'), 'new one');
    mkdirSync(join(root, 'old'));
    const { data: undone } = await call('disk_plan_undo', { plan_id });
    expect(undone).toMatchObject({ moved: 0, failed: 2 });
    expect((await call('disk_plan', { plan_id })).data).toMatchObject({ status: 'done', items: 2, moved: 2 });
    expect(readFileSync(join(root, 'shared'), 'utf8')).toBe('new one');
    rmSync(join(root, 'shared'));
    rmSync(join(root, 'old'), { recursive: true });
    expect((await call('disk_plan_undo', { plan_id })).data).toMatchObject({ moved: 2, failed: 0 });
    expect((await call('disk_plan', { plan_id })).data).toMatchObject({ status: 'undone', moved: 0 });
  });

  test('undo before anything was moved leaves the plan as it is', async () => {
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    expect((await call('disk_plan_undo', { plan_id })).error).toMatchObject({ code: 'conflict' });
    expect((await call('disk_plan_run', { plan_id, confirm: 2 })).data).toMatchObject({
      moved: 2,
      failed: 0,
    });
    expect((await call('disk_plan_undo', { plan_id })).data).toMatchObject({ moved: 2, failed: 0 });
  });

  test('counts what is there only, and has nothing to move where all of it is gone', async () => {
    rmSync(join(root, 'old'), { recursive: true });
    const plan = (await call('disk_plan_create', { selection_id: set })).data;
    expect(plan).toMatchObject({ items: 1, missing: 1, files: 1, dirs: 0, disk_size: 53_248, freed: 0 });
    rmSync(join(root, 'shared'));
    const { plan_id, items, disk_size } = (await call('disk_plan_create', { selection_id: set })).data;
    expect([items, disk_size]).toEqual([0, 0]);
    const run = await call('disk_plan_run', { plan_id, confirm: 0 });
    expect(run.error).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('nothing to move'),
    });
  });

  test('moves several names of one file, alone and inside a folder, and counts it once', async () => {
    linkSync(join(root, 'shared'), join(root, 'old/third'));
    await index();
    const filter = { any: [{ path: 'old' }, { name: 'shared' }, { name: 'kept' }] };
    set = (await call('query_run', { select: true, filter })).data.selection_id;
    const plan = (await call('disk_plan_create', { selection_id: set })).data;
    expect(plan).toMatchObject({ items: 3, warnings: {} });
    expect(plan.freed).toBe(plan.disk_size);
    const { data: done } = await call('disk_plan_run', { plan_id: plan.plan_id, confirm: 3 });
    expect(done).toMatchObject({ moved: 3, failed: 0 });
    expect(readdirSync(root)).toEqual(['stays']);
    await call('disk_plan_undo', { plan_id: plan.plan_id });
    expect(statSync(join(root, 'kept')).nlink).toBe(3);
  });

  test('does not take a change of another for its own move of another name', async () => {
    set = (await call('query_run', { select: true, filter: { linked: true } })).data.selection_id;
    const { plan_id, sample } = (await call('disk_plan_create', { selection_id: set })).data;
    expect(sample).toHaveLength(2);
    chmodSync(join(root, 'shared'), 0o600);
    const { data: done } = await call('disk_plan_run', { plan_id, confirm: 2 });
    expect(done).toMatchObject({ moved: 0, failed: 2 });
    expect((await call('disk_plan', { plan_id })).data).toMatchObject({ status: 'done', items: 2, moved: 0 });
  });

  test('is begun by one of two who ask at once', async () => {
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    const answers = await Promise.all([1, 2].map(() => call('disk_plan_run', { plan_id, confirm: 2 })));
    expect(answers.map((answer) => answer.error?.code ?? answer.data.moved).sort()).toEqual([2, 'conflict']);
    expect((await call('disk_plan_undo', { plan_id })).data).toMatchObject({ moved: 2, failed: 0 });
  });

  test.each([
    ['before a thing left its place', (place: string, trashed: string) => renameSync(trashed, place)],
    ['when a thing was moved and not noted', () => undefined],
    [
      'while undoing, with a file in both places',
      (place: string, trashed: string) => linkSync(trashed, place),
    ],
  ])('is undone after a crash %s', async (_when, crash) => {
    set = (await call('query_run', { select: true, filter: { name: 'note' } })).data.selection_id;
    const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
    await call('disk_plan_run', { plan_id, confirm: 1 });
    journal("UPDATE disk_moves SET state = 'moving' WHERE state = 'moved'");
    crash(join(root, 'old/note'), join(trash, 'files/note'));
    expect((await call('disk_plan_undo', { plan_id })).data).toMatchObject({ moved: 1, failed: 0 });
    expect(readFileSync(join(root, 'old/note'), 'utf8')).toBe('note');
    expect(readdirSync(join(trash, 'files'))).toEqual([]);
    expect(readdirSync(join(trash, 'info'))).toEqual([]);
    expect((await call('disk_plan', { plan_id })).data.status).toBe('undone');
  });

  test('warns of what another user owns and of what changed since the scan', async () => {
    if (process.getuid?.() === 0) chownSync(join(root, 'stays'), 65_534, 65_534);
    set = (await call('query_run', { select: true, filter: { any: [{ name: 'note' }, { name: 'stays' }] } }))
      .data.selection_id;
    writeFileSync(join(root, 'old/note'), 'longer than it was');
    utimesSync(join(root, 'old/note'), new Date(), new Date(Date.now() + 5_000));
    const { warnings } = (await call('disk_plan_create', { selection_id: set })).data;
    expect(warnings).toMatchObject({
      'changed since the scan': 1,
      ...(process.getuid?.() === 0 ? { 'belongs to another user': 1 } : {}),
    });
  });
});

describe('a folder in a plan', () => {
  const planFolder = async () => {
    set = (await call('query_run', { select: true, filter: { path: 'old' } })).data.selection_id;
    return (await call('disk_plan_create', { selection_id: set })).data;
  };

  test.each([
    [
      'a file written in place',
      () => writeFileSync(join(root, 'old/cache/blob'), 'x'.repeat(100_001)),
      /1 byte more, the last change in cache\/blob/,
    ],
    [
      'a file of the same size and time',
      () => {
        const { mtime } = statSync(join(root, 'old/cache/blob'));
        writeFileSync(join(root, 'old/cache/blob'), 'y'.repeat(100_000));
        utimesSync(join(root, 'old/cache/blob'), mtime, mtime);
      },
      /the last change in cache\/blob/,
    ],
    ['a new file', () => writeFileSync(join(root, 'old/cache/new'), '12345'), /added 1 entry, 5 bytes more/],
    [
      'a file that is gone',
      () => rmSync(join(root, 'old/cache/blob')),
      /removed 1 entry, 100,000 bytes less/,
    ],
  ])('stays when there is %s deep inside', async (_what, change, reason) => {
    const { plan_id } = await planFolder();
    change();
    const { data: done } = await call('disk_plan_run', { plan_id, confirm: 1 });
    expect(done).toMatchObject({ moved: 0, failed: 1 });
    expect(done.failures[0].reason).toMatch(/its content has changed since the plan was made/);
    expect(done.failures[0].reason).toMatch(reason);
    expect(existsSync(join(root, 'old/note'))).toBe(true);
  });

  test('warns of what changed deep inside since the scan', async () => {
    expect((await planFolder()).warnings).toEqual({});
    writeFileSync(join(root, 'old/cache/blob'), 'other');
    const again = await call('disk_plan_create', { selection_id: set });
    expect(again.data.warnings).toEqual({ 'changed since the scan': 1 });
  });
});

test('a plan warns of equal files of which none stays', async () => {
  mkdirSync(join(root, 'copies'));
  for (const name of ['a', 'b', 'outside']) writeFileSync(join(root, 'copies', name), 'same here and there');
  for (const name of ['c', 'd']) writeFileSync(join(root, 'copies', name), 'equal, and both planned');
  for (const name of ['e', 'f']) writeFileSync(join(root, 'copies', name), `same length, differs ${name}`);
  await index();
  const plan = async (names: readonly string[]) => {
    const filter = { any: names.map((name) => ({ path: `copies/${name}` })) };
    set = (await call('query_run', { select: true, filter })).data.selection_id;
    return (await call('disk_plan_create', { selection_id: set })).data;
  };
  expect((await plan(['a', 'b', 'c', 'e', 'f'])).warnings).toEqual({});
  const all = await plan(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(all.warnings).toEqual({ 'files: the last copy, no equal file remains': 2 });
  const warned = all.sample.filter(({ warnings }: { warnings?: string[] }) => warnings !== undefined);
  expect(warned).toMatchObject(
    ['c', 'd'].map((name) => ({
      path: join(root, 'copies', name),
      warnings: ['1 file: the last copy, no equal file remains'],
    })),
  );
  expect((await plan(['a', 'b', 'outside'])).warnings).toEqual({
    'files: the last copy, no equal file remains': 3,
  });
});

describe('in a git repository a plan tells what no commit brings back', () => {
  const warningsOf = async (path: string) => {
    await index();
    set = (await call('query_run', { select: true, filter: { path } })).data.selection_id;
    const { sample } = (await call('disk_plan_create', { selection_id: set })).data;
    return sample[0].warnings;
  };

  beforeEach(() => {
    mkdirSync(join(root, '.git'));
    mkdirSync(join(root, 'app/dist/deep'), { recursive: true });
    writeFileSync(join(root, '.gitignore'), '*.log\n');
    writeFileSync(join(root, 'app/.gitignore'), '/dist\n!keep.log\n');
    for (const name of ['main.ts', 'new.ts', 'keep.log', 'x.log', 'dist/out.js', 'dist/deep/out.js'])
      writeFileSync(join(root, 'app', name), name);
  });

  test('untracked and ignored apart', async () => {
    writeFileSync(
      join(root, '.git/index'),
      madeGitIndex(['app/main.ts', 'app/.gitignore', 'app/dist/out.js']),
    );
    expect(await warningsOf('app')).toEqual(['2 files not tracked by git', '2 files ignored by git']);
    expect(await warningsOf('app/main.ts')).toBeUndefined();
  });

  test('all of it where nothing was added yet', async () => {
    expect(await warningsOf('app/new.ts')).toEqual(['1 file not tracked by git']);
  });
});

describe('in a work tree whose repository lies elsewhere a plan', () => {
  const warningsOf = async () => {
    await index();
    set = (await call('query_run', { select: true, filter: { path: 'tree/app' } })).data.selection_id;
    return (await call('disk_plan_create', { selection_id: set })).data.sample[0].warnings;
  };
  let kept = '';

  beforeEach(() => {
    kept = realpathSync(emptyFolder());
    mkdirSync(join(root, 'tree/app'), { recursive: true });
    for (const name of ['main.ts', 'new.ts']) writeFileSync(join(root, 'tree/app', name), name);
    writeFileSync(join(root, 'tree/.git'), `gitdir: ${kept}\n`);
    writeFileSync(join(kept, 'index'), madeGitIndex(['app/main.ts'], 4));
  });

  test('tells what is not tracked, if the repository knows of the work tree', async () => {
    writeFileSync(join(kept, 'gitdir'), `${join(realpathSync(root), 'tree/.git')}\n`);
    expect(await warningsOf()).toEqual(['1 file not tracked by git']);
  });

  test('says that it cannot tell, if anyone may have written the pointer', async () => {
    expect(await warningsOf()).toEqual(['in a git repository whose index cannot be read']);
  });
});

describe('on a file system of its own', () => {
  // In memory on every Linux; elsewhere the folder lies on the same file system, and the home trash takes it.
  const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

  test('the trash is at its top, and what another put there as a link is not used', async () => {
    root = realpathSync(mkdtempSync(join(memory, 'pinhole-trash-')));
    const top = join(memory, `.Trash-${process.getuid?.() ?? 0}`);
    try {
      writeFileSync(join(root, 'film'), 'f'.repeat(10_000));
      await index();
      set = (await call('query_run', { select: true, filter: { name: 'film' } })).data.selection_id;
      const run = async () => {
        const { plan_id } = (await call('disk_plan_create', { selection_id: set })).data;
        const done = (await call('disk_plan_run', { plan_id, confirm: 1 })).data;
        return { done, undo: () => call('disk_plan_undo', { plan_id }) };
      };
      const first = await run();
      expect(first.done).toMatchObject({ moved: 1, failed: 0 });
      const apart = statSync(root).dev !== statSync(data).dev;
      expect(readdirSync(join(apart ? top : trash, 'files'))).toEqual(['film']);
      await first.undo();
      expect(readFileSync(join(root, 'film'), 'utf8')).toBe('f'.repeat(10_000));
      if (!apart) return;
      rmSync(top, { recursive: true });
      symlinkSync(root, top);
      expect((await run()).done.failures).toEqual([
        { path: join(root, 'film'), reason: 'there is no trash on this file system' },
      ]);
    } finally {
      rmSync(top, { recursive: true, force: true });
      rmSync(root, { recursive: true, force: true });
    }
  });
});
