import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NumberSet } from './number-set.ts';

it('holds what a set would hold, from small to large', () => {
  const change = fc.tuple(fc.boolean(), fc.nat(5_000));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 500 }), (changes) => {
      const numbers = new NumberSet();
      const set = new Set<number>();
      for (const [adds, number] of changes) {
        if (adds) {
          numbers.add(number);
          set.add(number);
        } else expect(numbers.delete(number)).toBe(set.delete(number));
      }
      expect([...numbers]).toEqual([...set].sort((a, b) => a - b));
      expect(numbers.size).toBe(set.size);
      for (const [, number] of changes) expect(numbers.has(number)).toBe(set.has(number));
      expect(numbers.has(-1)).toBe(false);
    }),
  );
});
