import { setImmediate as nextTurn } from 'node:timers/promises';
import { personOf } from '../sessions/ingest/repo-path.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SessionRow } from '../sessions/store/session-row.ts';
import type { Database } from '../store/database.ts';
import { nameOf } from './commit-store.ts';
import { changedLines, packHashes } from './line-hashes.ts';

/** The result of a call may come several events later, so an edit that was pending may have been rejected since. */
const EVENTS_READ_AGAIN = 100;

/**
 * Reads the edits of sessions that are new or have grown. Returns the time of the earliest new edit, from which on
 * commits must be linked again; undefined if there are no new edits.
 */
export async function refreshEdits(
  db: Database,
  sessions: Sessions,
  signal: AbortSignal,
): Promise<number | undefined> {
  const rows = await db.all('SELECT session, events, end_ms FROM edited_sessions');
  const known = new Map(rows.map(({ session, events }) => [String(session), Number(events)]));
  const ends = new Map(rows.map(({ session, end_ms }) => [String(session), Number(end_ms)]));
  let earliest: number | undefined;
  for (const { session, main } of await sessions.files.changes.changed(known)) {
    signal.throwIfAborted();
    const before = known.get(session.id) ?? 0;
    // A log that became shorter was rewritten.
    const from = session.events < before ? 0 : Math.max(0, before - EVENTS_READ_AGAIN);
    const edits: (readonly (string | number | Uint8Array)[])[] = [];
    // What a session did since cannot affect commits from before its previously known end.
    let newSinceMs = from === 0 ? session.startMs : (ends.get(session.id) ?? session.startMs);
    for await (const { touch, diff, whole } of changesOf(sessions, session, from)) {
      const { added, removed } = changedLines(diff);
      edits.push([
        ...[session.id, touch.event, touch.path, nameOf(touch.path), touch.ms, touch.turn, touch.step],
        ...[whole ? 1 : 0, packHashes(added), packHashes(removed)],
      ]);
      newSinceMs = Math.min(newSinceMs, touch.ms);
      if (edits.length % 50 === 0) await nextTurn();
    }
    const said = await sessions.files.changes.commits(session);
    await db.transaction(async (tx) => {
      await tx.run('DELETE FROM edits WHERE session = ? AND event >= ?', session.id, from);
      for (const table of ['said_commits', 'edited_sessions'])
        await tx.run(`DELETE FROM ${table} WHERE session = ?`, session.id);
      await tx.batch(
        `INSERT OR REPLACE INTO edits (session, event, path, name, ms, turn, step, whole, added_lines, removed_lines)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        edits,
      );
      await tx.batch(
        'INSERT INTO said_commits (session, ms, hash, subject) VALUES (?, ?, ?, ?)',
        said.map(({ ms, hash, subject }) => [session.id, ms, hash, subject]),
      );
      await tx.run(
        'INSERT INTO edited_sessions (session, main, events, person, start_ms, end_ms) VALUES (?, ?, ?, ?, ?, ?)',
        ...[session.id, main, session.events, personOf(session.cwd ?? ''), session.startMs, session.endMs],
      );
    });
    earliest = Math.min(earliest ?? Number.POSITIVE_INFINITY, newSinceMs);
    await nextTurn();
  }
  return earliest;
}

/** Edits by tools, then files that shell commands wrote. The latter are whole files, which may have existed before. */
async function* changesOf(sessions: Sessions, session: SessionRow, from: number) {
  for await (const change of sessions.files.changes.of(session, from)) yield { ...change, whole: false };
  for await (const change of sessions.files.changes.written(session, from)) yield { ...change, whole: true };
}
