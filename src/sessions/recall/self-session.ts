import type { Caller } from '../../contract/caller.ts';
import { fail, inputMessage } from '../../contract/errors.ts';
import { callListSessions } from '../calls.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';

/** What callers write for their own session. */
export const SELF = 'self';
/** A log that has not grown for this long does not belong to the caller. */
const GROWING_MS = 15 * 60_000;

/** How the caller's session was found. */
export type FoundBy = 'argument' | 'request' | 'folder';

export interface AskingSession {
  readonly session: SessionRow;
  readonly by: FoundBy;
  /** Other sessions running in the folder: the caller may be one of them. */
  readonly others: readonly SessionRow[];
}

/**
 * The caller's session: the one that was named, else the one that the client's request names, else the one in the
 * caller's folder whose log is growing.
 */
export async function askingSession(
  given: string | undefined,
  { session: inRequest, cwd }: Pick<Caller, 'session' | 'cwd'>,
  sessions: Pick<Sessions, 'list'>,
  now: number,
): Promise<AskingSession> {
  if (given !== undefined && given !== SELF)
    return { session: await sessions.list.find(given), by: 'argument', others: [] };
  if (inRequest !== undefined)
    return { session: await sessions.list.find(inRequest), by: 'request', others: [] };
  const growing =
    cwd === undefined
      ? []
      : (await sessions.list.page({ project: cwd, sinceMs: now - GROWING_MS }, undefined, 20)).toSorted(
          (a, b) => b.endMs - a.endMs,
        );
  const [session, ...others] = growing;
  if (session === undefined)
    fail(
      'session_not_found',
      inputMessage`The client does not say which session is asking, and no session in this folder has grown in the last 15 minutes. Give ${{ input: 'session_id' }}.`,
      { next: callListSessions({}) },
    );
  return { session, by: 'folder', others };
}
