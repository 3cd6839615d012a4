import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PathTable } from './path-table.ts';

const name = fc.oneof(
  fc.constantFrom('a', 'b', 'src', 'index.ts', 'größe', '名前', '\\xff', 'x'.repeat(300)),
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).map((text) => text.replaceAll('/', '_')),
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

it('gives every path one number and every number its path back', () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: 900 }), path, (paths, other) => {
      const table = new PathTable();
      const numbers = new Map<string, number>();
      for (const each of paths) {
        const number = table.add(each);
        expect(number).toBe(numbers.get(each) ?? numbers.size);
        numbers.set(each, number);
      }
      expect(table.length).toBe(numbers.size);
      for (const [each, number] of numbers) {
        expect(table.path(number)).toBe(each);
        expect(table.numberOf(each)).toBe(number);
        expect(table.folder(number)).toBe(each.slice(0, Math.max(0, each.lastIndexOf('/'))));
      }
      expect(table.numberOf(other)).toBe(numbers.get(other) ?? -1);
      const below = paths.filter((each) => each.startsWith(`${other}/`));
      expect(table.below(other).map((number) => table.path(number))).toEqual([...new Set(below)]);
    }),
  );
});

it('keeps a hundred thousand paths apart', () => {
  const table = new PathTable();
  const pathOf = (at: number) => `d${at % 300}/e${at % 7}/file${at}.ts`;
  for (let at = 0; at < 100_000; at++) expect(table.add(pathOf(at))).toBe(at);
  for (let at = 0; at < 100_000; at += 37)
    expect([table.numberOf(pathOf(at)), table.path(at)]).toEqual([at, pathOf(at)]);
  expect(table.numberOf('d1/e1/file1.tsx')).toBe(-1);
});
