import type { Database } from '../../store/database.ts';
import { ORIGINALS, type SearchScope, sessionConditions } from '../search/candidates.ts';
import { APPLIED } from './file-touches.ts';
import { int, optional, str } from './session-row.ts';

/** What all sessions did to a file, in any checkout. */
export interface EditedFile {
  readonly repo: string | undefined;
  readonly path: string;
  /** Sessions with at least one change that was applied. */
  readonly sessions: number;
  readonly edits: number;
  readonly failed: number;
  readonly rejected: number;
  readonly added: number;
  readonly removed: number;
  readonly lastMs: number;
}

/** Reads the files that sessions changed or tried to change, those with the most sessions first. */
export type ReadEditedFiles = (scope: SearchScope) => Promise<readonly EditedFile[]>;

/** More files than anyone reads. */
const MAX_FILES = 20_000;

export function editedFileStore(db: Database): ReadEditedFiles {
  return async (scope) => {
    const { conditions, params } = sessionConditions(scope, 't.session');
    // Without a filter, only the few copies are left out. Looking up the session of every touch would take longer.
    const [sessions, where] =
      conditions.join() === ORIGINALS
        ? ['', [`t.session NOT IN (SELECT s.key FROM sessions s WHERE NOT (${ORIGINALS}))`]]
        : ['JOIN sessions s ON s.key = t.session', conditions];
    const rows = await db.all(
      `SELECT t.repo, t.repo_path, COUNT(DISTINCT CASE WHEN ${APPLIED} THEN t.session END) AS sessions,
         SUM(${APPLIED}) AS edits, SUM(c.status = 'failed') AS failed,
         SUM(c.status IN ('rejected', 'cancelled')) AS rejected,
         SUM(CASE WHEN ${APPLIED} THEN t.added END) AS added,
         SUM(CASE WHEN ${APPLIED} THEN t.removed END) AS removed, MAX(t.ms) AS last_ms
       FROM touches t ${sessions}
         LEFT JOIN tools c ON c.session = t.session AND c.call = t.event
       WHERE t.action <> 'read' AND ${where.join(' AND ')} AND t.ms BETWEEN ? AND ?
       GROUP BY t.repo, t.repo_path ORDER BY sessions DESC, edits DESC, t.repo_path LIMIT ?`,
      ...[...params, scope.sinceMs ?? 0, scope.untilMs ?? Number.MAX_SAFE_INTEGER, MAX_FILES],
    );
    return rows.map((row) => ({
      repo: optional(row.repo),
      path: str(row.repo_path),
      sessions: int(row.sessions),
      edits: int(row.edits),
      failed: int(row.failed),
      rejected: int(row.rejected),
      added: int(row.added),
      removed: int(row.removed),
      lastMs: int(row.last_ms),
    }));
  };
}
