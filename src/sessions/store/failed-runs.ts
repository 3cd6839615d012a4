import type { Database, SqlRow } from '../../store/database.ts';
import { callStatus } from '../search/call-filter.ts';
import { type SearchScope, sessionConditions } from '../search/candidates.ts';
import { APPLIED } from './file-touches.ts';
import { groupedCalls } from './grouped-calls.ts';
import { int, optional, str } from './session-row.ts';

/** Consecutive failed runs of a check in a session, and what made it pass again. */
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
  /** The next run of the same kind of check that passed. */
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
      `SELECT MAX(t.event) AS event, t.repo_path FROM touches t JOIN tools c ON c.session = t.session AND c.call = t.event
       WHERE t.session = ? AND t.event > ? AND t.event < ? AND ${APPLIED} GROUP BY t.repo_path
       ORDER BY MAX(t.event) DESC LIMIT ?`,
      ...[int(row.session), int(row.call), int(row.passed), MAX_FIXES],
    );
    return edits.map((edit) => ({ event: int(edit.event), path: str(edit.repo_path) }));
  }

  return {
    /** Failed checks, newest first; consecutive failures are one entry. */
    async checks(scope: SearchScope): Promise<readonly FailedStreak[]> {
      const { conditions, params } = sessionConditions(scope, 'c.session');
      const rows = await db.all(
        `WITH failed AS (
           SELECT c.session, c.call, c.result, c.turn, c.check_kind, c.action, c.error, c.started_ms,
             (SELECT MIN(p.call) FROM tools p WHERE p.session = c.session AND p.check_kind = c.check_kind
                AND p.call > c.call AND p.check_failed = 0) AS passed
           FROM tools c JOIN sessions s ON s.key = c.session
           WHERE c.check_failed = 1 AND ${conditions.join(' AND ')} AND c.started_ms BETWEEN ? AND ?),
         streaks AS (
           SELECT failed.*, COUNT(*) OVER (PARTITION BY session, check_kind, passed) AS times,
             ROW_NUMBER() OVER (PARTITION BY session, check_kind, passed ORDER BY call) AS place
           FROM failed)
         SELECT * FROM streaks WHERE place = 1 ORDER BY started_ms DESC, session, call LIMIT ?`,
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
      const grouped = groupedCalls({
        calls: `SELECT c.action, c.name, c.error, c.session, c.turn, c.call, c.result, c.started_ms AS ms,
            CASE WHEN ${callStatus('c')} = 'failed' THEN 1 ELSE 0 END AS has_failed
          FROM tools c JOIN sessions s ON s.key = c.session
          WHERE ${conditions.join(' AND ')} AND c.started_ms BETWEEN ? AND ?`,
        by: 'action',
        figures: `COUNT(*) AS runs, SUM(has_failed) AS failed,
          COUNT(DISTINCT CASE WHEN has_failed = 1 THEN session END) AS sessions`,
        shown: 'has_failed = 1',
        order: 'ms DESC, session, call',
      });
      const rows = await db.all(
        `${grouped} ORDER BY failed DESC, sessions DESC, ms DESC, action LIMIT ?`,
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
