import { expect, test } from 'vitest';
import { refuseOtherKind } from './handle-kinds.ts';

test.each([
  ['s', 'n4f2', "'n4f2' is a node; a set looks like s5 and comes from query_run."],
  ['j', 'i1', "'i1' is an index; a job looks like j7 and comes from index."],
  ['n', 's1', "'s1' is a set; a node looks like n4f2 and comes from cd."],
  ['q', 'w12', "'w12' is a shell; a query looks like q2 and comes from query_run with save_as."],
])('where %s is wanted %s is told apart', (letter, handle, message) => {
  expect(() => refuseOtherKind(letter, handle)).toThrow(
    expect.objectContaining({ code: 'invalid_parameter', message }),
  );
});

test.each([
  ['s', 's5'],
  ['n', 'n4f2'],
  ['s', 'nothing like a handle'],
  ['s', 'iPhone'],
  ['s', ''],
  ['s', '__proto__'],
])('where %s is wanted %j is not told apart', (letter, handle) => {
  expect(() => refuseOtherKind(letter, handle)).not.toThrow();
});
