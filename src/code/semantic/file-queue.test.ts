import { expect, test } from 'vitest';
import { ListedFiles } from '../files/listed-files.ts';
import type { SourceFile } from '../files/source-tree.ts';
import { stem } from '../words/stem.ts';
import { FileQueue, MAX_BATCH_BYTES, type Wanted } from './file-queue.ts';

const file = (path: string): SourceFile => ({ path, size: 1, mtimeMs: 1, ctimeMs: 1, ino: 1, hidden: false });
const files = (folder: string, count: number) =>
  Array.from({ length: count }, (_none, at) => file(`${folder}/part${at}.ts`));
const none = new Set<string>();
const below = (folder: string) => (path: string) => path.startsWith(`${folder}/`);

function queueOf(list: readonly SourceFile[], wanted?: Wanted): FileQueue {
  const tree = new ListedFiles();
  for (const one of list) tree.set(tree.paths.add(one.path), one);
  return new FileQueue(tree, [...tree.numbers()], wanted);
}

/** What comes next, as `folder × files`. */
function next(queue: FileQueue): string | undefined {
  const batch = queue.next();
  if (batch === undefined) return undefined;
  const folders = [...new Set(batch.files.map(({ path }) => path.split('/')[0]))];
  return `${folders.join('+')} × ${batch.files.length}${batch.urgent ? ' now' : ''}`;
}

test('what the question is about comes first, by itself, then the rest in growing batches', () => {
  const all = [...files('a', 3000), ...files('z', 30)];
  const queue = queueOf(all, { words: none, accept: below('z') });
  expect(queue.isUrgent).toBe(true);
  expect(next(queue)).toBe('z × 30 now');
  expect(queue.isUrgent).toBe(false);
  expect([next(queue), next(queue), next(queue)]).toEqual(['a × 400', 'a × 400', 'a × 800']);
  // The last two share what is left.
  expect([next(queue), next(queue), next(queue)]).toEqual(['a × 700', 'a × 700', undefined]);
});

test('a later question changes the order, and what is read for it elsewhere is not read again', () => {
  const queue = queueOf([...files('a', 5000), ...files('m', 500), ...files('z', 30)]);
  expect(next(queue)).toBe('a × 400');
  queue.prefer({ words: none, accept: below('m') });
  queue.drop(files('z', 30));
  expect([next(queue), next(queue)]).toEqual(['m × 250 now', 'm × 250 now']);
  expect(queue.length).toBe(4600);
});

test('what is read at a time has a bounded amount of text, and at least one file', () => {
  const size = MAX_BATCH_BYTES / 40;
  const queue = queueOf([
    ...files('a', 100).map((one) => ({ ...one, size })),
    ...files('b', 2).map((one) => ({ ...one, size: 2 * MAX_BATCH_BYTES })),
  ]);
  const sizes: number[] = [];
  for (let batch = queue.next(); batch !== undefined; batch = queue.next()) sizes.push(batch.files.length);
  expect(sizes).toEqual([40, 40, 20, 1, 1]);
});

test('names with words of the question come first, tests last', () => {
  const queue = queueOf([file('src/a.test.ts'), file('src/b.ts'), file('src/retry.ts')], {
    words: new Set(['retry']),
  });
  expect(queue.next()?.files.map(({ path }) => path)).toEqual(['src/retry.ts', 'src/b.ts', 'src/a.test.ts']);
});

test('any form of a word in a name counts, also one with accents', () => {
  const names = [
    'src/other.ts',
    'src/retries.ts',
    'src/autoRouting.ts',
    'src/Réseau.ts',
    'src/x.ts',
    'lib/v2_io/a.ts',
  ];
  const queue = queueOf(names.map(file), { words: new Set(['retry', 'routing', 'reseau', 'io'].map(stem)) });
  const first = queue.next()?.files.map(({ path }) => path);
  expect(first).toEqual([names[1], names[2], names[3], names[5], names[0], names[4]]);
});

test('files that hold what was asked for come first', () => {
  const queue = queueOf([file('src/a.ts'), file('src/retry.ts'), file('src/b.ts'), file('src/c.test.ts')], {
    words: new Set(['retry']),
    likely: new Map([
      ['src/b.ts', 1],
      ['src/c.test.ts', 1],
      ['src/a.ts', 0.1],
    ]),
  });
  expect(queue.next()?.files.map(({ path }) => path)).toEqual([
    'src/b.ts',
    'src/c.test.ts',
    'src/retry.ts',
    'src/a.ts',
  ]);
});

test('files that are gone when their turn comes are left out', () => {
  const tree = new ListedFiles();
  for (const one of files('a', 3)) tree.set(tree.paths.add(one.path), one);
  const queue = new FileQueue(tree, [...tree.numbers()]);
  tree.delete(tree.paths.numberOf('a/part1.ts'));
  expect(queue.next()?.files.map(({ path }) => path)).toEqual(['a/part0.ts', 'a/part2.ts']);
  expect(queue.next()).toBeUndefined();
});
