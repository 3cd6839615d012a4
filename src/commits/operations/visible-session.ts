import { PinholeError } from '../../contract/errors.ts';
import type { SessionRow } from '../../sessions/store/session-row.ts';
import type { CommitServices } from '../services.ts';

/** A session that the caller may see; undefined if it belongs to another project or its log is gone. */
export async function visibleSession(
  id: string,
  { sessions }: Pick<CommitServices, 'sessions'>,
): Promise<SessionRow | undefined> {
  try {
    return await sessions.list.find(id);
  } catch (error) {
    if (error instanceof PinholeError && error.code === 'session_not_found') return undefined;
    throw error;
  }
}
