import type { SessionMeaning } from './meaning/session-meaning.ts';
import type { Sessions } from './sessions.ts';

/** What `usage` needs. */
export interface UsageServices {
  readonly sessions: Pick<Sessions, 'providers' | 'prices'> & {
    readonly usage: Pick<Sessions['usage'], 'now'>;
  };
}

/** What the operations on sessions need in addition to the usual context. */
export interface SessionServices {
  readonly sessions: Sessions;
  readonly meaning: Pick<SessionMeaning, 'search' | 'forget'>;
}
