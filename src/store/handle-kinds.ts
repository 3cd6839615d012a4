import { fail } from '../contract/errors.ts';
import type { NextCall } from '../contract/next-call.ts';

/** What the first letter of a handle means. */
const KINDS: Readonly<Record<string, { readonly name: string; readonly example: string }>> = {
  i: { name: 'an index', example: 'i3' },
  n: { name: 'a node', example: 'n4f2' },
  j: { name: 'a job', example: 'j7' },
  s: { name: 'a selection', example: 's5' },
  q: { name: 'a query', example: 'q2' },
  w: { name: 'a shell', example: 'w8' },
  p: { name: 'a plan', example: 'p1' },
};

/**
 * Refuses a handle of another kind than this letter's; text that is not a handle is left to the caller.
 *
 * @param next the call that returns a handle of the right kind
 */
export function refuseOtherKind(letter: string, handle: string, next?: NextCall): void {
  const [given, wanted] = [KINDS[handle.slice(0, 1)], KINDS[letter]];
  if (given === undefined || wanted === undefined || given === wanted) return;
  if (!/^(?:n[0-9a-z]{1,7}|[ijsqwp]\d{1,15})$/.test(handle)) return;
  fail(
    'invalid_parameter',
    `'${handle}' is ${given.name}, not ${wanted.name} (for example ${wanted.example}).`,
    next && { next },
  );
}
