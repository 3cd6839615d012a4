import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength, toJson } from './bytes.ts';
import { shrink } from './shrink.ts';

const over = (max: number) => (value: unknown) => byteLength(toJson(value)) - max;

test('cuts the longest string first and says by how much', () => {
  const value = { name: 'keep me', text: 'x'.repeat(500), other: 'y'.repeat(60) };
  const cut = shrink(value, over(250));
  expect(cut.name).toBe('keep me');
  expect(cut.other).toBe('y'.repeat(60));
  expect(cut.text).toMatch(/^x+…\[\+\d+ bytes\]$/);
  expect(byteLength(toJson(cut))).toBeLessThanOrEqual(250);
  expect(byteLength(toJson(cut))).toBeGreaterThan(230);
});

test('leaves the original alone', () => {
  const value = { text: 'x'.repeat(500) };
  shrink(value, over(100));
  expect(value.text).toHaveLength(500);
});

test('any JSON gets as small as asked, down to an empty object', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.integer({ min: 2, max: 400 }),
      (value, max) => {
        expect(byteLength(toJson(shrink(value, over(max))))).toBeLessThanOrEqual(max);
      },
    ),
  );
});
