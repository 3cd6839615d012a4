import { expect, test } from 'vitest';
import { clock } from './session-text.ts';

test.each([
  ['2026-07-14T21:40:05Z', '07-14 21:40'],
  ['2025-07-14T21:40:05Z', '2025-07-14 21:40'],
  ['unknown', '-'],
])('%s is shown as %s', (time, shown) => {
  expect(clock(time, Date.parse('2026-11-15T00:00:00Z'))).toBe(shown);
});
