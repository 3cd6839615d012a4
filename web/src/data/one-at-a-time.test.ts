import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('requests during a run lead to one more run', async () => {
  const ends: (() => void)[] = [];
  const run = oneAtATime(() => new Promise<void>((end) => ends.push(end)));
  const all = [run(), run(), run()];
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await Promise.all(all);
  expect(ends).toHaveLength(2);
  void run();
  expect(ends).toHaveLength(3);
});
