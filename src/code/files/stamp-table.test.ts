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

it('knows what a map of objects would know', () => {
  const change = fc.oneof(fc.tuple(path, stamp), fc.tuple(path, fc.constant(undefined)));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 1_500 }), (changes) => {
      const table = new StampTable(new PathTable());
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
        const stored = [...each.numbers()].map((number) => each.paths.path(number));
        expect(new Set(stored)).toEqual(new Set(map.keys()));
        expect(each.size).toBe(map.size);
        for (const [at, { size, mtimeMs, ctimeMs, hash }] of map) {
          const number = each.paths.numberOf(at);
          expect(each.hashOf(at)).toBe(hash);
          expect(each.isAt(number, size, mtimeMs, ctimeMs)).toBe(true);
          expect(each.isAt(number, size + 1, mtimeMs, ctimeMs)).toBe(false);
          expect(each.isAt(number, size, mtimeMs + 1, ctimeMs)).toBe(false);
          expect(each.isAt(number, size, mtimeMs, ctimeMs + 1)).toBe(false);
        }
      }
      expect(table.hashOf('absent')).toBeUndefined();
    }),
  );
});

it('tells nearby sizes and times apart', () => {
  const table = new StampTable(new PathTable());
  table.set('file', { size: 100, mtimeMs: 1_700_000_000_000, ctimeMs: 1_700_000_000_000, hash: '' });
  let same = 0;
  for (let size = 0; size < 300; size++)
    for (let after = 0; after < 300; after++)
      if (table.isAt(0, size, 1_700_000_000_000 + after / 4, 1_700_000_000_000 + after / 4)) same++;
  expect(same).toBe(1);
});
