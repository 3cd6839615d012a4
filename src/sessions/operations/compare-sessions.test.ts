import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { call, claude, lines, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { A, B, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('two sessions side by side', async () => {
  const { data } = await desk.ask('compare_sessions', { a: A, b: B });
  expect(data).toMatchObject({ a: { turns: 2 }, b: { turns: 1 }, tools: { Bash: [4, 0], Read: [1, 1] } });
  expect(data.diverge_at).toMatchObject({
    call: 0,
    a: { action: 'read src/a.ts' },
    b: { action: 'read src/b.ts' },
  });
});

test('a file is the same in two worktrees of a project, but not in another project', async () => {
  const session = (id: string, cwd: string, path: string) => {
    const log = claude({ id, cwd });
    const input = { file_path: path, old_string: 'a', new_string: 'b' };
    writeLog(
      join(desk.folders.claude, 'compared', `${id}.jsonl`),
      lines([
        log.prompt('go'),
        log.answer(`msg_${id}`, call(`t-${id}`, 'Edit', input)),
        log.result(`t-${id}`, 'ok'),
      ]),
    );
    return id;
  };
  const main = session('dddddddd-1111-4111-8111-111111111111', '/srv/shop', '/srv/shop/src/cart.ts');
  const tree = '/srv/shop/.claude/worktrees/x';
  const worktree = session('dddddddd-2222-4222-8222-222222222222', tree, `${tree}/src/cart.ts`);
  const other = session('dddddddd-3333-4333-8333-333333333333', '/srv/till', '/srv/till/src/cart.ts');
  await desk.sessions.reading.refresh();
  const filesOf = async (a: string, b: string) => (await desk.ask('compare_sessions', { a, b })).data.files;
  expect(await filesOf(main, worktree)).toEqual({ both: ['/srv/shop/src/cart.ts'], only_a: [], only_b: [] });
  expect(await filesOf(main, other)).toMatchObject({ both: [], only_b: ['/srv/till/src/cart.ts'] });
});
