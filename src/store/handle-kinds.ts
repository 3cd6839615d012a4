import { fail } from '../contract/errors.ts';

/** What the first letter of a handle tells, and where one of its kind comes from. */
const KINDS: Readonly<Record<string, readonly [name: string, example: string, from: string]>> = {
  i: ['an index', 'i3', 'index'],
  n: ['a node', 'n4f2', 'cd'],
  j: ['a job', 'j7', 'index'],
  s: ['a set', 's5', 'query_run'],
  q: ['a query', 'q2', 'query_run with save_as'],
  w: ['a shell', 'w8', 'cd'],
  p: ['a plan', 'p1', 'a person'],
};

/** Refuses a handle of another kind than the one with this letter. What is no handle at all is left to the caller. */
export function refuseOtherKind(letter: string, handle: string): void {
  const [given, wanted] = [KINDS[handle.slice(0, 1)], KINDS[letter]];
  if (given === undefined || wanted === undefined || given === wanted) return;
  if (!/^(?:n[0-9a-z]{1,7}|[ijsqwp]\d{1,15})$/.test(handle)) return;
  const [name, example, from] = wanted;
  fail(
    'invalid_parameter',
    `'${handle}' is ${given[0]}; ${name} looks like ${example} and comes from ${from}.`,
  );
}
