import type { Database, SqlRow } from '../../store/database.ts';
import { type SearchScope, sessionConditions } from '../search/candidates.ts';
import { HAPPENED } from './file-touches.ts';
import { int, optional, str } from './session-row.ts';

/** Runs of a check that failed one after the other in a session, and what made it pass again. */
export interface FailedStreak {
  readonly key: number;
  readonly check: string;
  readonly command: string;
  readonly error: string | undefined;
  readonly times: number;
  readonly turn: number;
  /** The result of the first failed run. */
  readonly event: number;
  readonly ms: number;
  /** The next run of such a check that passed. */
  readonly passed: number | undefined;
  /** The last edits before it, newest first. */
  readonly fixes: readonly Fix[];
}

export interface Fix {
  readonly event: number;
  readonly path: string;
}

/** A command, or another action of an agent, that failed. */
export interface FailingAction {
  readonly action: string;
  readonly tool: string;
  readonly runs: number;
  /** How often it failed. */
  readonly times: number;
  readonly sessions: number;
  readonly error: string | undefined;
  /** The last failed run. */
  readonly key: number;
  readonly turn: number;
  readonly event: number;
  readonly ms: number;
}

const MAX_ROWS = 2_000;
const MAX_FIXES = 2;

/** What failed in many sessions. */
export function failedRuns(db: Database) {
  async function fixesOf(row: SqlRow): Promise<readonly Fix[]> {
    const edits = await db.all(
      `SELECT t.event, t.repo_path FROM touches t JOIN tools c ON c.session = t.session AND c.call = t.event
       WHERE t.session = ? AND t.event > ? AND t.event < ? AND ${HAPPENED} GROUP BY t.repo_path
       ORDER BY MAX(t.event) DESC LIMIT ?`,
      ...[int(row.session), int(row.call), int(row.passed), MAX_FIXES],
    );
    return edits.map((edit) => ({ event: int(edit.event), path: str(edit.repo_path) }));
  }

  return {
    /** Failed checks, newest first: those in a row are one. */
    async checks(scope: SearchScope): Promise<readonly FailedStreak[]> {
      const { conditions, params } = sessionConditions(scope, 'c.session');
      const rows = await db.all(
        `SELECT *, COUNT(*) AS times, MIN(call) AS call FROM (
           SELECT c.session, c.call, c.result, c.turn, c.check_kind, c.action, c.error, c.started_ms,
             (SELECT MIN(p.call) FROM tools p WHERE p.session = c.session AND p.check_kind = c.check_kind
                AND p.call > c.call AND p.check_failed = 0) AS passed
           FROM tools c JOIN sessions s ON s.key = c.session
           WHERE c.check_failed = 1 AND ${conditions.join(' AND ')} AND c.started_ms BETWEEN ? AND ?)
         GROUP BY session, check_kind, passed ORDER BY started_ms DESC LIMIT ?`,
        ...[...params, scope.sinceMs ?? 0, scope.untilMs ?? Number.MAX_SAFE_INTEGER, MAX_ROWS],
      );
      return Promise.all(
        rows.map(async (row) => ({
          key: int(row.session),
          check: str(row.check_kind),
          command: str(row.action),
          error: optional(row.error),
          times: int(row.times),
          turn: int(row.turn),
          event: int(row.result) < 0 ? int(row.call) : int(row.result),
          ms: int(row.started_ms),
          passed: row.passed === null ? undefined : int(row.passed),
          fixes: row.passed === null ? [] : await fixesOf(row),
        })),
      );
    },

    /** Commands and other actions by how often they failed. */
    async actions(scope: SearchScope): Promise<readonly FailingAction[]> {
      const { conditions, params } = sessionConditions(scope, 'c.session');
      const failed = "(c.status = 'failed' OR COALESCE(c.check_failed, 0) = 1)";
      // In a query with MAX, SQLite takes the other columns from the row with the maximum.
      const rows = await db.all(
        `SELECT c.action, c.name, COUNT(*) AS runs, SUM(${failed}) AS failed,
           COUNT(DISTINCT CASE WHEN ${failed} THEN c.session END) AS sessions, c.error, c.session, c.turn, c.call, c.result,
           MAX(CASE WHEN ${failed} THEN c.started_ms ELSE 0 END) AS ms
         FROM tools c JOIN sessions s ON s.key = c.session
         WHERE ${conditions.join(' AND ')} AND c.started_ms BETWEEN ? AND ?
         GROUP BY c.action HAVING SUM(${failed}) > 0 ORDER BY failed DESC, sessions DESC, ms DESC LIMIT ?`,
        ...[...params, scope.sinceMs ?? 0, scope.untilMs ?? Number.MAX_SAFE_INTEGER, MAX_ROWS],
      );
      return rows.map((row) => ({
        action: str(row.action),
        tool: str(row.name),
        runs: int(row.runs),
        times: int(row.failed),
        sessions: int(row.sessions),
        error: optional(row.error),
        key: int(row.session),
        turn: int(row.turn),
        event: int(row.result) < 0 ? int(row.call) : int(row.result),
        ms: int(row.ms),
      }));
    },
  };
}
