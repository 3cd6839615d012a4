import { expect, test } from 'vitest';
import type { SqlDatabase } from '../store/sql-table.ts';
import { chooseTrees } from './source-trees.ts';

const trees = ['/code/api', '/code/web', '/code/web-old'].map(
  (root): SqlDatabase => ({ file: `${root}.db`, root }),
);
const roots = (databases: readonly SqlDatabase[]) => databases.map(({ root }) => root);
const left = (...statements: string[][]) => roots(chooseTrees(trees, statements, 1).left);

test('the trees that texts name come first', () => {
  expect(roots(chooseTrees(trees, [['/code/web/src/%']], 2).chosen)).toEqual(['/code/web', '/code/api']);
});

test('trees that a query cannot mean are not left out of it', () => {
  expect(left(['/code/web/src/%'])).toEqual([]);
  expect(left(['/code/web/a.ts', '/code/api%'])).toEqual(['/code/web']);
  // What one statement names says nothing about the other, and a name may be that of a function.
  expect(left(['/code/web'], ['main'])).toEqual(['/code/api', '/code/web-old']);
  expect(left(['api'])).toEqual(['/code/web', '/code/web-old']);
  expect(left([])).toEqual(['/code/web', '/code/web-old']);
});
