import type { Database, SqlRow, SqlValue } from '../../store/database.ts';
import { type OriginScope, originConditions, projectCondition } from '../search/candidates.ts';
import { groupedCalls } from '../store/grouped-calls.ts';
import { int, optional, str } from '../store/session-row.ts';
import { callMs } from '../store/subagents.ts';

const FINDING_KINDS = ['checks', 'rejected', 'loops', 'errors', 'subagents', 'interruptions'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** Which sessions to analyse, and for what; without filters, all sessions for everything. */
export interface AcrossFilter extends OriginScope {
  readonly sessionKeys?: readonly number[] | undefined;
  readonly provider?: string | undefined;
  /** The path of a project, or a prefix of its hash. */
  readonly project?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly kinds?: readonly FindingKind[] | undefined;
}

/** A place: the short id of a session, and an event in it. */
export interface FoundPlace {
  readonly session: string;
  readonly turn: number;
  readonly event: number;
  readonly ms: number;
}

/** A command that runs a check and failed at least once. */
export interface FailedCheck {
  readonly check: string;
  readonly command: string;
  readonly runs: number;
  readonly failed: number;
  /** Failed runs whose exit code was hidden by a pipe. */
  readonly hidden: number;
  readonly sessions: readonly string[];
  readonly error: string | undefined;
  /** The last failed run. */
  readonly last: FoundPlace;
}

export interface Rejection extends FoundPlace {
  readonly tool: string;
  /** What the call was about: its file, command or task. */
  readonly target: string;
  /** What the person said; undefined if they only rejected it. */
  readonly words: string | undefined;
  /** What they asked for next, if they only rejected it. */
  readonly next: string | undefined;
}

export interface FoundLoop extends FoundPlace {
  readonly severity: string;
  readonly message: string;
}

/** An error that is the same except for names, paths and numbers. */
export interface RepeatedError {
  readonly errorClass: string;
  readonly example: string;
  readonly tools: readonly string[];
  readonly times: number;
  readonly sessions: readonly string[];
  readonly last: FoundPlace;
}

export interface SubagentRun extends FoundPlace {
  readonly description: string | undefined;
  readonly type: string | undefined;
  readonly status: string;
  readonly took: number | undefined;
}

export interface Interruption extends FoundPlace {
  readonly prompt: string;
  readonly next: string | undefined;
}

export interface AcrossSessions {
  /** How many sessions were analysed. */
  readonly sessions: number;
  readonly checks: readonly FailedCheck[];
  readonly rejected: readonly Rejection[];
  readonly loops: readonly FoundLoop[];
  /** Those that occur in the most sessions come first. */
  readonly errors: readonly RepeatedError[];
  readonly subagents: readonly SubagentRun[];
  readonly interruptions: readonly Interruption[];
}

/** More rows of one kind than anyone reads. */
const MAX_ROWS = 2_000;

/** What went wrong across sessions, grouped; newest first unless noted otherwise. */
export async function acrossSessions(db: Database, filter: AcrossFilter): Promise<AcrossSessions> {
  const { sql, params } = scopeOf(filter);
  const wants = (kind: FindingKind) => filter.kinds === undefined || filter.kinds.includes(kind);
  const ask = async (kind: FindingKind, query: string) =>
    wants(kind) ? db.all(query.replace('{scope}', sql), ...params, MAX_ROWS) : [];
  const seen = await db.get(`SELECT COUNT(*) AS n FROM sessions s WHERE ${sql}`, ...params);
  const [checks, rejected, loops, errors, subagents, interruptions] = [
    await ask('checks', CHECKS),
    await ask('rejected', REJECTED),
    await ask('loops', LOOPS),
    await ask('errors', ERRORS),
    await ask('subagents', SUBAGENTS),
    await ask('interruptions', INTERRUPTIONS),
  ];
  return {
    sessions: int(seen?.n),
    checks: checks.map((row) => ({
      check: str(row.check_kind),
      command: str(row.action),
      runs: int(row.runs),
      failed: int(row.failed),
      hidden: int(row.hidden),
      sessions: words(row.sessions).toSorted(),
      error: optional(row.error),
      last: place(row),
    })),
    rejected: rejected.map((row) => ({
      ...place(row),
      tool: str(row.name),
      target: str(row.about),
      words: optional(row.error),
      next: row.error === null ? optional(row.next) : undefined,
    })),
    loops: loops.map((row) => ({ ...place(row), severity: str(row.severity), message: str(row.message) })),
    errors: errors.map((row) => ({
      errorClass: str(row.error_class),
      example: str(row.error),
      tools: words(row.tools).toSorted(),
      times: int(row.times),
      sessions: words(row.sessions).toSorted(),
      last: place(row),
    })),
    subagents: subagents.map((row) => ({
      ...place(row),
      description: optional(row.target),
      type: optional(row.agent_type),
      status: str(row.status),
      took: callMs(row),
    })),
    interruptions: interruptions.map((row) => ({
      ...place(row),
      prompt: str(row.prompt),
      next: optional(row.next),
    })),
  };
}

function scopeOf(filter: AcrossFilter): { readonly sql: string; readonly params: readonly SqlValue[] } {
  const conditions = ['s.copy_of IS NULL'];
  const params: SqlValue[] = [];
  const where = (sql: string, ...values: readonly SqlValue[]) => {
    conditions.push(sql);
    params.push(...values);
  };
  if (filter.sessionKeys !== undefined)
    where(`s.key IN (${filter.sessionKeys.map(() => '?').join(', ')})`, ...filter.sessionKeys);
  if (filter.provider !== undefined) where('s.provider = ?', filter.provider);
  for (const condition of originConditions(filter)) where(...condition);
  if (filter.project !== undefined) where(...projectCondition(filter.project));
  if (filter.sinceMs !== undefined) where('s.end_ms >= ?', filter.sinceMs);
  if (filter.untilMs !== undefined) where('s.start_ms <= ?', filter.untilMs);
  return { sql: conditions.join(' AND '), params };
}

function place(row: SqlRow): FoundPlace {
  return { session: str(row.short), turn: int(row.turn), event: int(row.event), ms: int(row.ms) };
}

function words(value: SqlValue | undefined): readonly string[] {
  return str(value).split(',');
}

/** The result of a call explains it; a call without a result stands for itself. */
const EVENT = 'CASE WHEN t.result < 0 THEN t.call ELSE t.result END AS event';
const OF_TOOLS = 'FROM tools t JOIN sessions s ON s.key = t.session WHERE {scope}';

const nextPrompt = (turn: string) =>
  `(SELECT NULLIF(n.prompt, '') FROM turns n WHERE n.session = t.session AND n.idx = ${turn} + 1) AS next`;

const CHECKS = `${groupedCalls({
  calls: `SELECT t.check_kind, t.action, t.check_failed, t.status, t.error, s.short, t.turn, t.started_ms AS ms, ${EVENT}
    ${OF_TOOLS} AND t.check_failed IS NOT NULL`,
  by: 'check_kind, action',
  figures: `COUNT(*) AS runs, SUM(check_failed) AS failed, SUM(check_failed = 1 AND status = 'ok') AS hidden,
    GROUP_CONCAT(DISTINCT CASE WHEN check_failed = 1 THEN short END) AS sessions`,
  shown: 'check_failed = 1',
  order: 'ms DESC, short, event',
})} ORDER BY failed DESC, ms DESC, action LIMIT ?`;

const REJECTED = `SELECT s.short, t.turn, ${EVENT}, t.started_ms AS ms, t.name, COALESCE(t.target, t.command, t.action) AS about,
    t.error, ${nextPrompt('t.turn')} ${OF_TOOLS} AND t.status = 'rejected' ORDER BY t.started_ms DESC LIMIT ?`;

const LOOPS = `SELECT s.short, f.turn, f.event, COALESCE(e.ms, s.start_ms) AS ms, f.severity, f.message
  FROM findings f JOIN sessions s ON s.key = f.session LEFT JOIN events e ON e.session = f.session AND e.idx = f.event
  WHERE {scope} AND (f.kind = 'loops' OR (f.kind = 'retries' AND NOT EXISTS (
    SELECT 1 FROM findings l WHERE l.session = f.session AND l.kind = 'loops' AND l.event = f.event))) ORDER BY f.severity = 'info', ms DESC LIMIT ?`;

const ERRORS = `${groupedCalls({
  calls: `SELECT t.error_class, t.error, t.name, s.short, t.turn, t.started_ms AS ms, ${EVENT}
    ${OF_TOOLS} AND t.error_class IS NOT NULL`,
  by: 'error_class',
  figures: `COUNT(*) AS times, COUNT(DISTINCT short) AS spread, GROUP_CONCAT(DISTINCT name) AS tools,
    GROUP_CONCAT(DISTINCT short) AS sessions`,
  shown: 'TRUE',
  order: 'ms DESC, short, event',
})} ORDER BY spread DESC, times DESC, ms DESC, error_class LIMIT ?`;

const SUBAGENTS = `SELECT s.short, t.turn, t.call AS event, t.started_ms AS ms, t.target, t.agent_type, t.status, t.result,
    t.duration_ms, t.started_ms, t.ended_ms
  ${OF_TOOLS} AND t.kind = 'agent' ORDER BY t.started_ms DESC LIMIT ?`;

const INTERRUPTIONS = `SELECT s.short, t.idx AS turn, t.event, t.start_ms AS ms, t.prompt, ${nextPrompt('t.idx')}
  FROM turns t JOIN sessions s ON s.key = t.session WHERE {scope} AND t.outcome = 'interrupted' AND t.inherited = 0
  ORDER BY t.start_ms DESC LIMIT ?`;
