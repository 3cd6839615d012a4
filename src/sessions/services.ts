import type { Sessions } from './sessions.ts';

/** What the operations on sessions need besides the usual context. */
export interface SessionServices {
  readonly sessions: Sessions;
}
