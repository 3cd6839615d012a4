import { expect, test } from 'vitest';
import type { SourceFile } from '../files/source-tree.ts';
import { likelyFirst } from './needed-files.ts';

const file = (path: string): SourceFile => ({ path, size: 1, mtimeMs: 0, ctimeMs: 0, ino: 0, hidden: false });
const paths = (files: readonly SourceFile[]) => files.map(({ path }) => path);
const files = ['vendor/a.go', 'pkg/other.go', 'pkg/distributor.go', 'vendor/push.go'].map(file);

test('files that also hold the type of a member come first, vendored code last', () => {
  const withOwner = new Set(['vendor/push.go', 'pkg/distributor.go']);
  expect(paths(likelyFirst(files, withOwner))).toEqual([
    'pkg/distributor.go',
    'vendor/push.go',
    'pkg/other.go',
    'vendor/a.go',
  ]);
  expect(paths(likelyFirst(files, undefined))).toEqual([
    'pkg/other.go',
    'pkg/distributor.go',
    'vendor/a.go',
    'vendor/push.go',
  ]);
});
