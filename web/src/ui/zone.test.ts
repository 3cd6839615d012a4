import { expect, test } from 'vitest';
import { browserZone } from './zone.ts';

test('the zone comes from Temporal where a browser has it, from a formatter where not', () => {
  expect(browserZone({ Temporal: { Now: { timeZoneId: () => 'Asia/Tokyo' } } })).toBe('Asia/Tokyo');
  expect(browserZone({})).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
});
