import type { Database } from '../store/database.ts';
import { SESSION_COLUMNS, type SessionRow, sessionRow } from './store/session-row.ts';

/** What changed in a session since the last report. */
export interface SessionChange {
  /** The session as it is now. */
  readonly session: SessionRow;
  /** Events from here on are new. */
  readonly firstEvent: number;
  /** Turns from here on are new or have changed. */
  readonly firstTurn: number;
  /** The log was rewritten: everything in the session may have changed. */
  readonly rewritten: boolean;
  /** A subagent of the session changed. */
  readonly subagents: boolean;
}

type Subscribe = (listener: (keys: readonly number[]) => void) => () => void;

/** Reports every change of a session and its subagents, in order, until the returned function is called. */
export function followSession(
  db: Database,
  onChange: Subscribe,
  followed: SessionRow,
  listener: (change: SessionChange) => void,
): () => void {
  let known = followed;
  let ended = false;
  let last: Promise<void> = Promise.resolve();

  async function report(keys: readonly number[]): Promise<void> {
    const marks = keys.map(() => '?').join(',');
    const child = await db.get(
      `WITH RECURSIVE up (parent_id) AS (
         SELECT parent_id FROM sessions WHERE relation = 'subagent' AND key IN (${marks})
         UNION SELECT s.parent_id FROM sessions s JOIN up ON s.id = up.parent_id WHERE s.relation = 'subagent')
       SELECT 1 FROM up WHERE parent_id = ? LIMIT 1`,
      ...[...keys, known.id],
    );
    if (!keys.includes(known.key) && child === undefined) return;
    const row = await db.get(`SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.key = ?`, known.key);
    if (row === undefined || ended) return;
    const session = sessionRow(row);
    const rewritten = session.events < known.events;
    const change: SessionChange = {
      session,
      firstEvent: rewritten ? 0 : known.events,
      firstTurn: rewritten ? 0 : Math.max(0, known.turns - 1),
      rewritten,
      subagents: child !== undefined,
    };
    known = session;
    listener(change);
  }

  const stop = onChange((keys) => {
    // One after another, so that changes are reported in order. Errors mean that the database was closed.
    last = last.then(() => (ended ? undefined : report(keys))).catch(() => {});
  });
  return () => {
    ended = true;
    stop();
  };
}
