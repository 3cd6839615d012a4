import { expect, test } from 'vitest';
import { diffCounts, diffLines, lineDiff } from './diff-lines.ts';

test('a change in the middle keeps the lines around it, also between two changes', () => {
  expect(lineDiff('a\nb\nc\nd\ne', 'a\nB\nc\nD\ne')).toBe(' a\n-b\n+B\n c\n-d\n+D\n e');
  expect(lineDiff('same', 'same')).toBe(' same');
  expect(lineDiff('', 'one\ntwo')).toBe('+one\n+two');
});

test('changed words of a replaced line are marked', () => {
  const [out, added] = diffLines('-return store.get(id);\n+return cache.get(id);');
  expect(out).toEqual({ kind: 'out', text: 'return store.get(id);', changed: [{ from: 7, to: 12 }] });
  expect(added).toEqual({ kind: 'in', text: 'return cache.get(id);', changed: [{ from: 7, to: 12 }] });
});

test('lines that share nothing are not compared', () => {
  expect(diffLines('-alpha beta\n+const x = 1;').every(({ changed }) => changed.length === 0)).toBe(true);
});

test('counts leave out the heads of a patch', () => {
  expect(diffCounts('--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-one\n+two\n+three\n same')).toEqual({
    added: 2,
    removed: 1,
  });
});

test('the head of a part says which lines it is about', () => {
  const heads = (text: string) => diffLines(text).flatMap(({ kind, text }) => (kind === 'place' ? text : []));
  expect(heads('@@ -3,2 +3,4 @@\n a\n@@ -9 +11 @@ class Store\n+b')).toEqual([
    'Lines 3 to 6',
    'Line 11, class Store',
  ]);
  expect(heads('@@\n-a\n@@\n+c\n @@ class Store\n+b')).toEqual(['⋯', 'class Store']);
});
