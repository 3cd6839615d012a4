import { expect, test } from 'vitest';
import { passageDiff, patchOfFile, patchTouches, shortDiff } from './patch.ts';

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
@@
-old
+new
*** Add File: src/b.ts
+hello
*** Delete File: c.ts
*** End Patch`;

test('files of a patch with what happens to each', () => {
  expect(patchTouches(PATCH)).toEqual([
    { path: 'src/a.ts', action: 'edit', lines: { added: 1, removed: 1 } },
    { path: 'src/b.ts', action: 'write', lines: { added: 1, removed: 0 } },
    { path: 'c.ts', action: 'delete' },
  ]);
});

test('the section of one file, also by its absolute path', () => {
  expect(patchOfFile(PATCH, '/srv/app/src/b.ts')).toBe('*** Add File: src/b.ts\n+hello\n');
  expect(patchOfFile(PATCH, '/srv/other.ts')).toBeUndefined();
});

test('a replaced passage shows what changed with one line around it', () => {
  expect(passageDiff('a\nb\nc\nd', 'a\nB\nc\nd')).toBe('@@\n a\n-b\n+B\n c');
  expect(passageDiff('', 'x\ny')).toBe('@@\n+x\n+y');
});

test('a long diff says how much is left out', () => {
  expect(shortDiff('1\n2\n3\n4\n5', 3)).toBe('1\n2\n… 3 more lines');
  expect(shortDiff('1\n2\n', 3)).toBe('1\n2');
});
