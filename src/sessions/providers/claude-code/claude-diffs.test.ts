import { expect, test } from 'vitest';
import { recordedDiff } from './claude-diffs.ts';

test('the diff beside an edit has the tabs of the file again', () => {
  const hunk = {
    oldStart: 3,
    oldLines: 2,
    newStart: 3,
    newLines: 2,
    lines: ['   a := 1', '-  if  x {', '+    if y {'],
  };
  const beside = {
    originalFile: 'func f() {\n\ta := 1\n\tif\tx {\n',
    oldString: '\tif\tx {',
    newString: '\t\tif y {',
    structuredPatch: [hunk],
  };
  expect(recordedDiff(beside)).toBe('@@ -3,2 +3,2 @@\n \ta := 1\n-\tif\tx {\n+\t\tif y {');
  expect(recordedDiff({ structuredPatch: [{ ...hunk, lines: ['+  two spaces'] }] })).toBe(
    '@@ -3,2 +3,2 @@\n+  two spaces',
  );
  expect(recordedDiff({ structuredPatch: [] })).toBeUndefined();
});
