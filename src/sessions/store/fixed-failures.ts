import type { Database } from '../../store/database.ts';
import { callStatus } from '../search/call-filter.ts';
import { type OriginScope, originConditions } from '../search/candidates.ts';
import { APPLIED } from './file-touches.ts';
import { int, optional, SESSION_COLUMNS, type SessionRow, sessionRow, str } from './session-row.ts';

/** A call that failed and later succeeded in the same session. */
export interface FixedFailure {
  readonly session: SessionRow;
  readonly call: number;
  readonly turn: number;
  readonly ms: number;
  /** The command, or for another tool the target of the call. */
  readonly action: string;
  readonly error: string;
  /** The call that succeeded. */
  readonly passed: number;
  readonly passedAction: string;
  /** Whether a file named in the error was edited in between. */
  readonly namedFile: boolean;
}

export interface FixingEdit {
  readonly event: number;
  readonly path: string;
  readonly repoPath: string;
}

/** Which sessions are searched. */
export interface FailureScope extends OriginScope {
  /** The id of a session to leave out. */
  readonly except?: string | undefined;
}

/** SQL for the sessions `s` of a scope, and its parameters. */
function sessionsOf(scope: FailureScope): readonly [string, readonly string[]] {
  const all = [['s.id <> ?', scope.except ?? ''], ...originConditions(scope)];
  return [
    `s.copy_of IS NULL AND ${all.map(([sql]) => sql).join(' AND ')}`,
    all.map(([, value]) => value ?? ''),
  ];
}

/** How many of the newest failures of a class are examined. */
const MAX_FAILURES = 500;
/** In events. What passes later than this passes for another reason. */
const MAX_EVENTS_BETWEEN = 400;

/** Errors of earlier sessions and what made them go away. */
export function fixedFailures(db: Database) {
  return {
    /** Failures of these classes after which the same program, or the same tool with the same target, succeeded. */
    async ofClasses(classes: readonly string[], scope: FailureScope = {}): Promise<readonly FixedFailure[]> {
      if (classes.length === 0) return [];
      const [sessions, params] = sessionsOf(scope);
      const rows = await db.all(
        `SELECT ${SESSION_COLUMNS}, t.call, t.turn, t.started_ms AS at, COALESCE(t.command, t.target, t.action) AS act, t.error,
           p.call AS passed, COALESCE(p.command, p.target, p.action) AS passed_act,
           (SELECT COUNT(*) FROM touches e WHERE e.session = t.session AND e.event > t.call AND e.event < p.call
             AND e.action <> 'read' AND instr(t.error, COALESCE(e.repo_path, e.path)) > 0) AS named_file
         FROM tools t JOIN sessions s ON s.key = t.session
         JOIN tools p ON p.session = t.session AND p.call = (
           SELECT MIN(n.call) FROM tools n WHERE n.session = t.session AND n.call > t.call AND n.call <= t.call + ${MAX_EVENTS_BETWEEN}
             AND n.status = 'ok' AND (n.check_kind IS NULL OR n.check_failed = 0) AND n.name = t.name
             AND CASE WHEN t.check_kind IS NOT NULL THEN n.check_kind = t.check_kind AND n.program IS t.program
               WHEN t.program IS NOT NULL THEN n.program = t.program ELSE n.target IS t.target END)
         WHERE t.error_class IN (${classes.map(() => '?').join(', ')}) AND t.error IS NOT NULL
           AND ${callStatus('t')} = 'failed' AND ${sessions}
         ORDER BY t.started_ms DESC LIMIT ?`,
        ...[...classes, ...params, MAX_FAILURES],
      );
      return rows.map((row) => ({
        session: sessionRow(row),
        call: int(row.call),
        turn: int(row.turn),
        ms: int(row.at),
        action: str(row.act),
        error: str(row.error),
        passed: int(row.passed),
        passedAction: str(row.passed_act),
        namedFile: int(row.named_file) > 0,
      }));
    },

    /** The different errors that contain a text, ignoring case, and their classes. */
    async saying(
      text: string,
      scope: FailureScope = {},
    ): Promise<readonly { readonly error: string; readonly kind: string }[]> {
      const [sessions, params] = sessionsOf(scope);
      const rows = await db.all(
        `SELECT DISTINCT t.error, t.error_class FROM tools t JOIN sessions s ON s.key = t.session
         WHERE instr(LOWER(t.error), LOWER(?)) > 0 AND t.error_class IS NOT NULL AND ${sessions}
         LIMIT ?`,
        ...[text, ...params, MAX_FAILURES],
      );
      return rows.map((row) => ({ error: str(row.error), kind: str(row.error_class) }));
    },

    /** How many failures of these classes there are, fixed or not. */
    async count(classes: readonly string[], scope: FailureScope = {}): Promise<number> {
      const [sessions, params] = sessionsOf(scope);
      const row = await db.get(
        `SELECT COUNT(*) AS n FROM tools t JOIN sessions s ON s.key = t.session WHERE ${sessions}
           AND t.error_class IN (${classes.map(() => '?').join(', ')})`,
        ...[...params, ...classes],
      );
      return int(row?.n);
    },

    /** The edits between a failure and the success after it, newest first. */
    async edits({ session, call, passed }: FixedFailure, limit: number): Promise<readonly FixingEdit[]> {
      const rows = await db.all(
        `SELECT t.event, t.path, t.repo_path FROM touches t
         JOIN tools c ON c.session = t.session AND c.call = t.event
         WHERE t.session = ? AND t.event > ? AND t.event < ? AND ${APPLIED}
         ORDER BY t.event DESC LIMIT ?`,
        ...[session.key, call, passed, limit],
      );
      return rows.map((row) => ({
        event: int(row.event),
        path: str(row.path),
        repoPath: optional(row.repo_path) ?? str(row.path),
      }));
    },
  };
}
