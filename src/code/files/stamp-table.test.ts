import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StampTable, type StoredStamp } from './stamp-table.ts';

const stamp = fc.record({
  size: fc.nat(),
  mtimeMs: fc.double({ noNaN: true, min: 0, max: 4e12 }),
  ctimeMs: fc.double({ noNaN: true, min: 0, max: 4e12 }),
  hash: fc.constantFrom('', 'short', '0123456789_-aBcD'),
});
const path = fc.nat(600).map((at) => `file${at}`);

it('holds what a map of objects would hold', () => {
  const change = fc.oneof(fc.tuple(path, stamp), fc.tuple(path, fc.constant(undefined)));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 1_500 }), (changes) => {
      const table = new StampTable();
      const map = new Map<string, StoredStamp>();
      for (const [at, value] of changes) {
        if (value === undefined) {
          table.delete(at);
          map.delete(at);
        } else {
          table.set(at, value);
          map.set(at, value);
        }
      }
      expect(new Map([...table.keys()].map((at) => [at, table.get(at)]))).toEqual(map);
      expect(table.size).toBe(map.size);
      for (const [at, value] of map) {
        expect(table.isAt(at, value)).toBe(true);
        expect(table.isAt(at, { ...value, size: value.size + 1 })).toBe(false);
      }
      expect(table.get('absent')).toBeUndefined();
    }),
  );
});
