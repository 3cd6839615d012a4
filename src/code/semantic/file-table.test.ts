import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FileList, FileTable } from './file-table.ts';
import { PathNumbers } from './path-numbers.ts';
import type { IndexedFile } from './semantic-segment.ts';

const file = fc.record({
  path: fc.oneof(
    fc.constantFrom('a.ts', 'b/a.ts', 'b/c.ts', 'b/d/c.ts', '/a.ts', 'é/é.ts', 'é.ts'),
    fc.string({ unit: 'grapheme', minLength: 1 }),
  ),
  hash: fc.constantFrom('', '0123456789_-aBcD'),
  size: fc.nat(),
  mtimeMs: fc.double({ noNaN: true, min: 0, max: 4e12 }),
  language: fc.constantFrom(undefined, 'go', 'typescript'),
  lines: fc.nat(),
  roles: fc.nat(255),
  chunkFrom: fc.nat(),
  chunkTo: fc.nat(),
});
const lists = fc.array(fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 30 }), {
  maxLength: 6,
});

it('files come back as they were, over several tables', () => {
  fc.assert(
    fc.property(lists, (segments) => {
      const all: readonly IndexedFile[] = segments.flat();
      const list = new FileList(segments.map((files) => new FileTable(files)));
      expect(list.length).toBe(all.length);
      expect(all.map((_one, number) => list.at(number))).toEqual(all);
      expect(all.map((_one, number) => list.path(number))).toEqual(all.map(({ path }) => path));
      expect(() => list.at(all.length)).toThrow(RangeError);
    }),
  );
});

it('knows the newest file at each path, like a map', () => {
  fc.assert(
    fc.property(lists, (segments) => {
      const list = new FileList(segments.map((files) => new FileTable(files)));
      const newest = new PathNumbers();
      const expected = new Map<string, number>();
      let number = 0;
      for (const { path } of segments.flat()) {
        expect(newest.replace(list, number)).toBe(expected.get(path));
        expected.set(path, number++);
      }
      for (const [path, at] of expected) expect(newest.get(list, path)).toBe(at);
      expect(newest.get(list, 'never/there')).toBeUndefined();
    }),
  );
});

it('keeps more paths than it had room for', () => {
  const files = Array.from({ length: 5_000 }, (_none, at) => ({
    ...{ path: `folder${at % 7}/file${at}.ts`, hash: '', size: 1, mtimeMs: 1, lines: 1, roles: 0 },
    ...{ chunkFrom: at, chunkTo: at + 1 },
  }));
  const list = new FileList([new FileTable(files)]);
  const newest = new PathNumbers();
  for (let at = 0; at < files.length; at++) expect(newest.replace(list, at)).toBeUndefined();
  expect(files.map(({ path }) => newest.get(list, path))).toEqual(files.map((_one, at) => at));
});
