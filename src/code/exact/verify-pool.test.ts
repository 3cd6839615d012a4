import { afterEach, expect, it } from 'vitest';
import type { VerifyTask } from './verify-files.ts';
import { startPool } from './verify-pool.ts';

const task: VerifyTask = {
  root: '/',
  pattern: { pattern: 'x', insensitive: false, word: false, fixed: true },
  files: [],
  after: 0,
  lines: undefined,
  maxHits: 1,
  sliceMs: 60,
  cancelled: new Int32Array(new SharedArrayBuffer(4)),
};
const { signal } = new AbortController();
let pool: ReturnType<typeof startPool>;
afterEach(() => pool.close());

it('starts threads with the first tasks and ends them when there are no more', async () => {
  pool = startPool(2, 2_000);
  expect(pool.running).toBe(0);
  await pool.run(task, true, signal);
  expect(pool.running).toBe(1);
  await Promise.all([
    pool.run(task, true, signal),
    pool.run(task, true, signal),
    pool.run(task, true, signal),
  ]);
  expect(pool.running).toBe(2);
  await expect.poll(() => pool.running).toBe(0);
  expect(await pool.run(task, true, signal)).toMatchObject({ next: 0, counts: [] });
});
