import { describe, expect, test } from 'vitest';
import { parseAge, parseDepth, parseSize } from './size-and-age.ts';

const ever = Number.POSITIVE_INFINITY;

test.each([
  ['>100MB', { min: 100_000_001, max: ever }],
  ['>=1GiB', { min: 2 ** 30, max: ever }],
  ['<4k', { min: 0, max: 4095 }],
  ['<= 1.5 MB', { min: 0, max: 1_500_000 }],
  ['=0', { min: 0, max: 0 }],
  ['42', { min: 42, max: 42 }],
  ['1MB..5GB', { min: 1e6, max: 5e9 }],
  ['1T..', { min: 2 ** 40, max: ever }],
  ['..10', { min: 0, max: 10 }],
])('size %s', (text, span) => {
  expect(parseSize(text)).toEqual(span);
});

test.each(['', '>', '100XB', 'big', '5GB..1MB', '>>1', '-1', '1..2..3', '1e9'])('%s is no size', (text) => {
  expect(parseSize(text)).toBeUndefined();
});

describe('ages', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  const day = 86_400_000;

  test.each([
    ['<7d', { min: now - 7 * day + 1, max: now }],
    ['>1y', { min: -ever, max: now - 365 * day - 1 }],
    ['7d..30d', { min: now - 30 * day, max: now - 7 * day }],
    ['>=2026-11-01', { min: Date.parse('2026-11-01'), max: ever }],
    ['2026-11-01', { min: Date.parse('2026-11-01'), max: Date.parse('2026-11-02') - 1 }],
    ['2026-01-01..2026-02-01', { min: Date.parse('2026-01-01'), max: Date.parse('2026-02-01') }],
  ])('%s', (text, span) => {
    expect(parseAge(text, now)).toEqual(span);
  });

  test.each(['yesterday', '7', '7 moons', '2026-13-45', ''])('%s is no age', (text) => {
    expect(parseAge(text, now)).toBeUndefined();
  });
});

test('depths are whole', () => {
  expect(parseDepth('<=3')).toEqual({ min: 0, max: 3 });
  expect(parseDepth('2')).toEqual({ min: 2, max: 2 });
  expect(parseDepth('1.5')).toBeUndefined();
});
