import type { NextCall } from '../contract/next-call.ts';

/** What the answer must mention first about a subject, and what would fix it. */
export interface Prepared {
  readonly notes: readonly string[];
  readonly next: readonly NextCall[];
}
