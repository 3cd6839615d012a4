import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { counted, tries } from '../reliability/counted.ts';
import { ask, temporaryApp, temporaryFolder } from '../support.ts';

/* Clean-ups while somebody swaps their files, and of folders that nobody should clean up. */

const app = await temporaryApp();
vi.stubEnv('XDG_DATA_HOME', join(realpathSync(temporaryFolder()), 'share'));

function person(root: string) {
  const who = { door: 'cli', roots: [root], cwd: root, id: root } as const;
  return async (operation: string, input: object) => (await ask(app, operation, { ...input }, who)).body;
}

/** A plan over everything in a folder that passes a filter. */
async function planned(root: string, filter: object) {
  const call = person(root);
  await call('index', { root, full: true, wait_seconds: 25 });
  const { selection_id } = (await call('query_run', { path: root, select: true, filter })).data;
  return { call, plan: await call('disk_plan_create', { selection_id }) };
}

test('a file that is swapped for another during a clean-up is moved as planned or left alone', {
  timeout: 240_000,
}, async ({ task }) => {
  const rounds = tries('PINHOLE_PLANS', 12);
  for (let round = 0; round < rounds; round++) {
    const root = realpathSync(temporaryFolder());
    const aside = realpathSync(temporaryFolder());
    for (let n = 0; n < 20; n++) writeFileSync(join(root, `f${n}.log`), `planned ${n}`);
    writeFileSync(join(aside, 'precious'), 'never planned');
    const { call, plan } = await planned(root, { ext: 'log' });
    const swapper = fileURLToPath(new URL('../fixtures/swapper.mjs', import.meta.url));
    const attacker = fork(swapper, [join(root, 'f7.log'), join(aside, 'precious')], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    if (attacker.stdout !== null) await once(attacker.stdout, 'data');
    const { data } = await call('disk_plan_run', { plan_id: plan.data.plan_id, confirm: 20 });
    attacker.kill('SIGKILL');
    await once(attacker, 'exit');
    expect(data.moved + data.failed).toBe(20);
    // Whatever the attacker left where, the other file is in one of its two places, not in the trash.
    const left = [
      ...readdirSync(root).map((name) => join(root, name)),
      ...readdirSync(aside).map((name) => join(aside, name)),
    ];
    expect(left.map((path) => readFileSync(path, 'utf8'))).toContain('never planned');
  }
  counted(task, rounds, rounds);
});

test('a plan of the root itself is refused or left alone', async () => {
  const root = realpathSync(temporaryFolder());
  writeFileSync(join(root, 'a.log'), 'a');
  const call = person(root);
  await call('index', { root, wait_seconds: 25 });
  const { data } = await call('cd', { path: root });
  const node = await call('inspect', { path: root });
  const set = await call('resource_set_create', {
    name: 'all',
    index_id: data.index_id,
    node_ids: [node.data?.node_id ?? 'n1'],
  });
  const plan = set.error ? set : await call('disk_plan_create', { selection_id: set.data.selection_id });
  // A person may plan it; an agent cannot run it, and undo brings it back to the byte.
  if (plan.error === undefined) {
    const agent = { door: 'mcp', roots: [root], cwd: root, id: 'agent' } as const;
    const { body } = await ask(app, 'disk_plan_run', { plan_id: plan.data.plan_id, confirm: 1 }, agent);
    expect(body.error.code).toBe('forbidden');
    await call('disk_plan_run', { plan_id: plan.data.plan_id, confirm: plan.data.items });
    await call('disk_plan_undo', { plan_id: plan.data.plan_id });
  }
  expect(readFileSync(join(root, 'a.log'), 'utf8')).toBe('a');
});

test("a plan of Pinhole's own data, or of the trash, moves nothing", async () => {
  const own = realpathSync(app.home);
  const trash = join(process.env.XDG_DATA_HOME ?? '', 'Trash');
  mkdirSync(join(trash, 'files'), { recursive: true });
  mkdirSync(join(trash, 'info'), { recursive: true });
  writeFileSync(join(trash, 'files', 'kept.bin'), 'kept');
  for (const [folder, filter] of [
    [own, { name: 'pinhole.db*' }],
    [own, { name: 'disk' }],
    [join(trash, '..'), { name: 'Trash' }],
    [trash, { name: 'files' }],
  ] as const) {
    const root = realpathSync(folder);
    const before = readdirSync(root).filter((name) => !name.endsWith('-shm'));
    const { call, plan } = await planned(root, filter);
    const items = plan.data?.items ?? 0;
    const ran = plan.error ?? (await call('disk_plan_run', { plan_id: plan.data.plan_id, confirm: items }));
    expect(readdirSync(root), JSON.stringify([plan, ran])).toEqual(expect.arrayContaining(before));
  }
  expect(readFileSync(join(trash, 'files', 'kept.bin'), 'utf8')).toBe('kept');
});
