import { expect, test } from 'vitest';
import { parseSize } from '../filter/size-and-age.ts';
import { terseSize } from './match-list.ts';

test.each([
  [128_651_445, '129MB'],
  [5_310_000_000, '5.3GB'],
  [999_960, '1.0MB'],
  [47, '47B'],
  [98_932_688, '98.9MB'],
])('%i bytes are %s, which a filter reads', (bytes, text) => {
  expect(terseSize(bytes, 'si')).toBe(text);
  const { min = 0 } = parseSize(text) ?? {};
  expect(Math.abs(min - bytes) / bytes).toBeLessThan(0.02);
});
