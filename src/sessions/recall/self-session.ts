import type { Caller } from '../../contract/caller.ts';
import { fail, inputMessage } from '../../contract/errors.ts';
import { callListSessions } from '../calls.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';

/** What callers write for the session that is asking. */
export const SELF = 'self';
/** A log that did not grow for this long is not the one that is asking. */
const GROWING_MS = 15 * 60_000;

/** How the session that is asking was found. */
export type FoundBy = 'argument' | 'request' | 'folder';

export interface AskingSession {
  readonly session: SessionRow;
  readonly by: FoundBy;
  /** Other sessions of the folder that are running too: one of them may be the one that asks. */
  readonly others: readonly SessionRow[];
}

/**
 * The session that is meant: the one that was named, else the one that the client's request names, else the one in the
 * caller's folder whose log grows.
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
