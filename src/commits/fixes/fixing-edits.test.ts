import { expect, test } from 'vitest';
import { relation } from './fixing-edits.ts';

const ERROR = 'cmd/cart/sum.go:120:4: Error return value of `repo.Worktree` is not checked (errcheck)';

test('an edit at the place of an error has more to do with it than others of the file, and these more than others', () => {
  const elsewhere = '@@ -300,3 +300,3 @@\n-func old() {\n+func young() {';
  const atPlace = '@@ -118,4 +118,6 @@\n-tree, _ := load()\n+tree, err := load()';
  const atPlaceByName = '@@ -118,4 +118,6 @@\n-tree, _ := repo.Worktree()\n+tree, err := repo.Worktree()';
  const scores = [
    relation(ERROR, 'cmd/other/open.go', elsewhere),
    relation(ERROR, 'cmd/cart/sum.go', elsewhere),
    relation(ERROR, 'cmd/cart/sum.go', atPlace),
    relation(ERROR, 'cmd/cart/sum.go', atPlaceByName),
  ];
  expect(scores).toEqual([0, 2, 6, 8]);
});

test('a comment for the rule, and what was undefined, are what the error is about', () => {
  expect(relation(ERROR, 'b.go', '@@ -1 +1 @@\n+x() //nolint:errcheck')).toBe(2);
  expect(relation('a.go:9:1: undefined: errors (typecheck)', 'b.go', '@@ -1 +1,2 @@\n+\t"errors"')).toBe(2);
  expect(relation('CONFLICT (content): Merge conflict in cmd/a.go', 'cmd/a.go', '-<<<<<<< HEAD')).toBe(2);
});
