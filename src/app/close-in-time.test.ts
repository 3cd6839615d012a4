import { expect, test } from 'vitest';
import { closeInTime } from './close-in-time.ts';

test('what fails or hangs is logged, and the rest is closed', async () => {
  const closed: string[] = [];
  const logged: string[] = [];
  const clean = await closeInTime(
    {
      full: () => {
        throw new Error('the disk is full');
      },
      lost: () => Promise.reject(new Error('gone')),
      stuck: () => new Promise(() => {}),
      last: async () => void closed.push('last'),
    },
    (line) => logged.push(line.split('\n')[0] ?? ''),
    100,
  );
  expect(clean).toBe(false);
  expect(closed).toEqual(['last']);
  expect(logged).toEqual([
    'closing the full: Error: the disk is full',
    'closing the lost: Error: gone',
    'closing the stuck: Error: it took too long',
  ]);
});

test('all closed is clean, in the order given', async () => {
  const closed: string[] = [];
  const parts = { a: async () => void closed.push('a'), b: () => void closed.push('b') };
  expect(await closeInTime(parts, () => {}, undefined)).toBe(true);
  expect(closed).toEqual(['a', 'b']);
});
