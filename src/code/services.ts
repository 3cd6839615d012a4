import type { Code } from './code.ts';

/** What the code operations need. */
export interface CodeServices {
  readonly code: Code;
}
