import type { Database } from '../../store/database.ts';
import { HAPPENED_IN_SQL } from '../model/event.ts';
import type { SaidCommit } from '../model/said-commits.ts';
import { shellWrites } from '../model/shell-edits.ts';
import { absolutePath, commandOf } from '../model/tool-kinds.ts';
import type { Events } from './event-store.ts';
import { APPLIED, type FileHistory, type FileTouch, touchOf } from './file-touches.ts';
import { int, SESSION_COLUMNS, type SessionRow, sessionRow, str } from './session-row.ts';

/** A session whose log has grown. */
export interface ChangingSession {
  readonly session: SessionRow;
  /** The session that a person started: for a subagent, the topmost one. */
  readonly main: string;
}

/** A file that a shell command wrote. */
export type ShellTouch = Pick<FileTouch, 'path' | 'event' | 'turn' | 'step' | 'ms'>;

const MAX_DIFF_LINES = 20_000;
const MAX_DEPTH = 20;

/** What sessions changed, in order, for linking with commits. */
export function sessionChanges(db: Database, events: Events, files: FileHistory) {
  async function touches(
    session: SessionRow,
    where: string,
    ...params: readonly (string | number)[]
  ): Promise<readonly FileTouch[]> {
    const rows = await db.all(
      `SELECT ${SESSION_COLUMNS}, t.path, t.event, t.turn, t.step, t.ms, t.action, t.added, t.removed, t.repo_path,
         c.status, c.name, c.result, '' AS prompt
       FROM touches t JOIN sessions s ON s.key = t.session
       JOIN tools c ON c.session = t.session AND c.call = t.event
       LEFT JOIN turns u ON u.session = t.session AND u.idx = t.turn
       WHERE t.session = ? AND ${APPLIED} AND COALESCE(u.inherited, 0) = 0 AND ${where} ORDER BY t.event`,
      ...[session.key, ...params],
    );
    return rows.map(touchOf);
  }

  return {
    /** The number of sessions and events: as long as it is unchanged, nothing was written. */
    async mark(): Promise<string> {
      const row = await db.get(
        'SELECT COUNT(*) AS n, SUM(events) AS events, SUM(end_ms) AS ends, MAX(key) AS newest FROM sessions WHERE copy_of IS NULL',
      );
      return [row?.n, row?.events, row?.ends, row?.newest].join();
    },

    /** Sessions whose number of events differs from `known`. */
    async changed(known: ReadonlyMap<string, number>): Promise<readonly ChangingSession[]> {
      const counts = await db.all('SELECT key, id, events FROM sessions WHERE copy_of IS NULL');
      const keys = counts
        .filter(({ id, events: count }) => known.get(str(id)) !== int(count))
        .map(({ key }) => int(key));
      if (keys.length === 0) return [];
      const parents = new Map(
        (await db.all("SELECT id, parent_id FROM sessions WHERE relation = 'subagent'")).map((row) => [
          str(row.id),
          str(row.parent_id),
        ]),
      );
      const changed: ChangingSession[] = [];
      for (const key of keys) {
        const row = await db.get(`SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.key = ?`, key);
        if (row === undefined) continue;
        const session = sessionRow(row);
        changed.push({ session, main: topOf(session.id, parents) });
      }
      return changed;
    },

    /**
     * The changes of a session that were applied, from an event on, each with its diff; records copied from another
     * session are left out.
     */
    async *of(
      session: SessionRow,
      from: number,
    ): AsyncGenerator<{ readonly touch: FileTouch; readonly diff: string }> {
      for (const touch of await touches(session, 't.event >= ?', from)) {
        const diff = await files.diff(touch, MAX_DIFF_LINES);
        if (diff !== undefined) yield { touch, diff };
      }
    },

    /** Files that a session's shell commands wrote from text in the command, from an event on. */
    async *written(
      session: SessionRow,
      from: number,
    ): AsyncGenerator<{ readonly touch: ShellTouch; readonly diff: string }> {
      const calls = await db.all(
        `SELECT c.call, c.turn, c.step, c.started_ms FROM tools c
         LEFT JOIN turns u ON u.session = c.session AND u.idx = c.turn
         WHERE c.session = ? AND c.call >= ? AND c.command LIKE '%<<%' AND c.status IN ${HAPPENED_IN_SQL}
           AND COALESCE(u.inherited, 0) = 0
           AND NOT EXISTS (SELECT 1 FROM touches t WHERE t.session = c.session AND t.event = c.call AND t.action <> 'read')
         ORDER BY c.call`,
        ...[session.key, from],
      );
      for (const row of calls) {
        const event = int(row.call);
        const [meta] = await events.range(session, event, event);
        const part = meta && (await events.part(session, meta));
        const place = { event, turn: int(row.turn), step: int(row.step), ms: int(row.started_ms) };
        for (const { path, diff } of shellWrites(commandOf(part?.args ?? {}) ?? ''))
          yield { touch: { ...place, path: absolutePath(path, session.cwd) }, diff };
      }
    },

    /** The diff of the edit of a file at an event; undefined if there is none. */
    async diffAt(
      session: SessionRow,
      event: number,
      path: string,
      lines: number,
    ): Promise<string | undefined> {
      const [touch] = await touches(session, 't.event = ? AND t.path = ?', event, path);
      return touch && files.diff(touch, lines);
    },

    /** Steps whose calls all failed or were rejected. A failing test is useful, so checks do not count. */
    async failedSteps(session: SessionRow): Promise<readonly { turn: number; step: number }[]> {
      const rows = await db.all(
        `SELECT turn, step FROM tools WHERE session = ? GROUP BY turn, step
         HAVING SUM(status IN ('failed', 'rejected', 'cancelled') AND check_kind IS NULL) = COUNT(*)`,
        session.key,
      );
      return rows.map((row) => ({ turn: int(row.turn), step: int(row.step) }));
    },

    /** The commits a session made, according to git's output in it. */
    async commits(session: SessionRow): Promise<readonly (SaidCommit & { readonly ms: number })[]> {
      const rows = await db.all(
        `SELECT m.hash, m.subject, c.ended_ms FROM said_commits m
         JOIN tools c ON c.session = m.session AND c.call = m.call WHERE m.session = ? ORDER BY m.call`,
        session.key,
      );
      return rows.map((row) => ({ hash: str(row.hash), subject: str(row.subject), ms: int(row.ended_ms) }));
    },
  };
}

function topOf(id: string, parents: ReadonlyMap<string, string>): string {
  let top = id;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const parent = parents.get(top);
    if (parent === undefined || parent === '') return top;
    top = parent;
  }
  return top;
}
