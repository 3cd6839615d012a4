import { expect, test } from 'vitest';
import type { FileShape } from '../symbols/file-shape.ts';
import { SyntaxSource } from './syntax-source.ts';

const EMPTY: FileShape = {
  language: 'go',
  lines: 3,
  definitions: [],
  importLines: [],
  comments: [{ from: 1, to: 1 }],
  tests: [],
};

test('reads a file once, and says nothing about files without symbols', async () => {
  const read: string[] = [];
  const source = new SyntaxSource(async (path) => {
    read.push(path);
    if (path === 'broken.go') throw new Error('unreadable');
    return path.endsWith('.go') ? EMPTY : undefined;
  });
  source.allow(10_000);
  source.start('a.go');
  expect((await source.of('a.go'))?.facts(1, () => false)).toEqual({ kind: 'comment' });
  expect(await source.of('notes.md')).toBeUndefined();
  expect(await source.of('broken.go')).toBeUndefined();
  await source.of('a.go');
  expect(read).toEqual(['a.go', 'notes.md', 'broken.go']);
  expect(source.late).toBe(0);
});

test('stops waiting when the time is used up, and knows what came later', async () => {
  let finish = (_symbols: FileShape): void => {};
  const source = new SyntaxSource((path) =>
    path === 'slow.go'
      ? new Promise((resolve) => {
          finish = resolve;
        })
      : Promise.resolve(EMPTY),
  );
  source.allow(5);
  expect(await source.of('slow.go')).toBeUndefined();
  // Nothing is left for another file.
  expect(await source.of('next.go')).toBeUndefined();
  expect(source.late).toBe(2);
  finish(EMPTY);
  source.allow(10_000);
  expect(await source.of('slow.go')).toBeDefined();
  expect(await source.of('next.go')).toBeDefined();
  expect(source.late).toBe(2);
});
