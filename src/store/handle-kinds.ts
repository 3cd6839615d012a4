import { fail } from '../contract/errors.ts';

/** What the first letter of an id means. */
const KINDS: Readonly<Record<string, readonly [name: string, example: string]>> = {
  i: ['an index', 'i3'],
  n: ['a node', 'n4f2'],
  j: ['a job', 'j7'],
  s: ['a selection', 's5'],
  q: ['a query', 'q2'],
  w: ['a shell', 'w8'],
  p: ['a plan', 'p1'],
};

/** Throws for the id of another kind of thing. Text that is no id at all is left to the caller. */
export function refuseOtherKind(letter: string, handle: string): void {
  const [given, wanted] = [KINDS[handle.slice(0, 1)], KINDS[letter]];
  if (given === undefined || wanted === undefined || given === wanted) return;
  if (!/^(?:n[0-9a-z]{1,7}|[ijsqwp]\d{1,15})$/.test(handle)) return;
  const [name, example] = wanted;
  fail('invalid_parameter', `'${handle}' is ${given[0]}. The id of ${name} looks like ${example}.`);
}
