import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PathTable } from './path-table.ts';
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
      const paths = new PathTable();
      const table = new StampTable(paths);
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
      for (const each of [table, table.movedTo(new PathTable())]) {
        const stored = [...each.numbers()].map(
          (number) => [each.paths.path(number), each.at(number)] as const,
        );
        expect(new Map(stored)).toEqual(map);
        expect(each.size).toBe(map.size);
      }
      for (const [at, { size, mtimeMs, ctimeMs }] of map) {
        const number = paths.numberOf(at);
        expect(table.isAt(number, size, mtimeMs, ctimeMs)).toBe(true);
        expect(table.isAt(number, size + 1, mtimeMs, ctimeMs)).toBe(false);
      }
      expect(table.get('absent')).toBeUndefined();
    }),
  );
});
