import { expect, test } from 'vitest';
import { refuseOtherKind } from './handle-kinds.ts';

test.each([
  ['s', 'n4f2', "'n4f2' is a node, not a selection (for example s5)."],
  ['j', 'i1', "'i1' is an index, not a job (for example j7)."],
  ['n', 's1', "'s1' is a selection, not a node (for example n4f2)."],
  ['q', 'w12', "'w12' is a shell, not a query (for example q2)."],
])('where a handle with %s is wanted, %s is refused', (letter, handle, message) => {
  const next = { operation: 'cd', input: {} };
  expect(() => refuseOtherKind(letter, handle, next)).toThrow(
    expect.objectContaining({ code: 'invalid_parameter', message, next }),
  );
});

test.each([
  ['s', 's5'],
  ['n', 'n4f2'],
  ['s', 'nothing like a handle'],
  ['s', 'iPhone'],
  ['s', ''],
  ['s', '__proto__'],
])('where a handle with %s is wanted, %j passes', (letter, handle) => {
  expect(() => refuseOtherKind(letter, handle)).not.toThrow();
});
