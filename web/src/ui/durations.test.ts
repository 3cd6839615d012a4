import { expect, test } from 'vitest';
import { durationText } from './format.ts';

test('from an hour on, a duration has two units', () => {
  const texts = [42, 59 * 60, 3_599, 3_600, 70 * 60, 47 * 3_600 + 60, 48 * 3_600, 60 * 3_600].map(
    durationText,
  );
  expect(texts).toEqual(['42s', '59m', '1h', '1h', '1h 10m', '47h 1m', '2d', '2d 12h']);
});
