import { expect, test } from 'vitest';
import { workTree } from './work-tree.ts';

test('files become a tree, the largest first, with lonely folders joined', () => {
  const { columns, files } = workTree([
    { path: '/srv/atlas/src/tiles/a.ts', weight: 1 },
    { path: '/srv/atlas/src/tiles/b.ts', weight: 5 },
    { path: '/srv/atlas/README.md', weight: 2 },
  ]);
  const nodes = Array.from({ length: columns.count }, (_, i) => [
    columns.name(i),
    columns.parents[i],
    columns.sizes[i],
  ]);
  expect(nodes).toEqual([
    ['srv/atlas', 0, 8],
    ['src/tiles', 0, 6],
    ['README.md', 0, 2],
    ['b.ts', 1, 5],
    ['a.ts', 1, 1],
  ]);
  expect(files[3]).toBe('/srv/atlas/src/tiles/b.ts');
  expect(files[1]).toBeUndefined();
});

test('nothing is an empty tree', () => {
  expect(workTree([]).columns.count).toBe(1);
});
