import { fail } from '../contract/errors.ts';
import { refuseOtherKind } from '../store/handle-kinds.ts';
import { callCd } from './calls.ts';

/** Short ids for callers: a letter and a number, for nodes in base 36. */
export const indexHandle = (id: number) => `i${id}`;
export const selectionHandle = (id: number) => `s${id}`;
export const queryHandle = (id: number) => `q${id}`;
export const planHandle = (id: number) => `p${id}`;
export const nodeHandle = (id: number) => `n${id.toString(36)}`;

/** The number in a handle such as `s5`; 0, which is never used, if it is malformed. Throws for a handle of another kind. */
export function handleNumber(letter: string, handle: string): number {
  refuseOtherKind(letter, handle);
  return new RegExp(`^${letter}\\d{1,15}$`).test(handle) ? Number(handle.slice(1)) : 0;
}

/** The number in a node id such as `n4f2`. */
export function nodeNumber(handle: string): number {
  refuseOtherKind('n', handle);
  if (!/^n[0-9a-z]{1,7}$/.test(handle)) {
    fail('invalid_parameter', `'${handle.slice(0, 20)}' is not a node id. A node id looks like n4f2.`, {
      next: callCd({}),
    });
  }
  return Number.parseInt(handle.slice(1), 36);
}
