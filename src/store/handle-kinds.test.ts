import { expect, test } from 'vitest';
import { refuseOtherKind } from './handle-kinds.ts';

test.each([
  ['s', 'n4f2', "'n4f2' is a node. The id of a selection looks like s5."],
  ['j', 'i1', "'i1' is an index. The id of a job looks like j7."],
  ['n', 's1', "'s1' is a selection. The id of a node looks like n4f2."],
  ['q', 'w12', "'w12' is a shell. The id of a query looks like q2."],
])('where an id with %s is expected, %s is refused', (letter, handle, message) => {
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
])('where an id with %s is expected, %j is left to the caller', (letter, handle) => {
  expect(() => refuseOtherKind(letter, handle)).not.toThrow();
});
