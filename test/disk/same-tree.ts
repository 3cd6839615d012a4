import { expect } from 'vitest';
import type { Tree } from '../../src/disk/tree/tree-columns.ts';

const COLUMNS = [
  'id',
  'parent',
  'nameAt',
  'size',
  'blocks',
  'mtime',
  'ino',
  'ext',
  'owner',
  'kind',
  'dirRow',
  'dirLast',
  'dirTime',
  'dirDisk',
  'dirSize',
  'dirFiles',
  'dirAllFiles',
  'dirDirs',
  'dirNewest',
  'dirErrors',
  'linkRow',
  'linkKey',
  'linkCount',
] as const;

/** Compares every column of two trees, so that a failure names the difference. */
export function expectSame(one: Tree, two: Tree): void {
  for (const column of COLUMNS)
    expect({ [column]: [...one[column]] }).toEqual({ [column]: [...two[column]] });
  expect(one.names.equals(two.names)).toBe(true);
}
