import { expect, test } from 'vitest';
import { createRepeats } from './repeats.ts';

test('the same question of the same caller within ten minutes is a repeat', () => {
  let now = 0;
  const isRepeated = createRepeats(() => now);
  expect(isRepeated('cd', 'a', '{"path":"/"}')).toBe(false);
  expect(isRepeated('cd', 'a', '{"path":"/"}')).toBe(true);
  expect(isRepeated('cd', 'b', '{"path":"/"}')).toBe(false);
  expect(isRepeated('cd', 'a', '{"path":"/x"}')).toBe(false);
  expect(isRepeated('inspect', 'a', '{"path":"/"}')).toBe(false);
  now = 10 * 60_000;
  expect(isRepeated('cd', 'a', '{"path":"/"}')).toBe(true);
  now += 10 * 60_000 + 1;
  expect(isRepeated('cd', 'a', '{"path":"/"}')).toBe(false);
});
