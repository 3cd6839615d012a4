import { expect, test } from 'vitest';
import { volumeSpace } from './volume-space.ts';

test('a folder has a size and free space', async () => {
  const space = await volumeSpace('/');
  expect(space?.size).toBeGreaterThan(0);
  expect(space?.free).toBeLessThanOrEqual(space?.size ?? 0);
});

test('a mount that does not answer is asked once and holds nobody up', async () => {
  let asked = 0;
  let answer: (value: { blocks: number; bavail: number; bsize: number }) => void = () => {};
  const dead = () => {
    asked++;
    return new Promise<{ blocks: number; bavail: number; bsize: number }>((resolve) => {
      answer = resolve;
    });
  };
  const both = await Promise.all([volumeSpace('/dead', dead), volumeSpace('/dead', dead)]);
  expect(both).toEqual([undefined, undefined]);
  expect(await volumeSpace('/dead', dead)).toBeUndefined();
  expect(asked).toBe(1);
  answer({ blocks: 10, bavail: 4, bsize: 2 });
  expect(await volumeSpace('/dead', dead)).toEqual({ size: 20, free: 8 });
});
