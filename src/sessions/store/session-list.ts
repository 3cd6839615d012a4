import type { Database, SqlValue } from '../../store/database.ts';
import type { Provider } from '../providers/provider.ts';
import { type CallFilter, callCondition, filtersCalls } from '../search/call-filter.ts';
import {
  type OriginScope,
  originConditions,
  projectCondition,
  UNKNOWN_PROJECT,
} from '../search/candidates.ts';
import {
  int,
  optional,
  SESSION_COLUMNS,
  type SessionRow,
  sessionRow,
  str,
  WITH_COPIES,
} from './session-row.ts';

export interface SessionFilter extends OriginScope {
  readonly provider?: string | undefined;
  readonly project?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly minTokens?: number | undefined;
  /** Only sessions with (or without) failed tools. */
  readonly failed?: boolean | undefined;
  /** List subagents too; by default, they are shown with the session that started them. */
  readonly subagents?: boolean | undefined;
  readonly except?: string | undefined;
  /** Only the sessions with these ids. */
  readonly ids?: readonly string[] | undefined;
  /** Only the last session of each project. */
  readonly perProject?: boolean | undefined;
  /** Only sessions with a matching call. */
  readonly calls?: CallFilter | undefined;
}

export type ListPosition = readonly [startMs: number, key: number];

export type SessionSize = Pick<SessionRow, 'key' | 'id' | 'failures' | 'totalTokens'>;

export interface ProjectRow {
  readonly hash: string;
  readonly path: string | undefined;
  readonly sessions: number;
  readonly lastMs: number;
  readonly tokens: number;
}

export type ProjectPosition = readonly [lastMs: number, hash: string];

export type SessionList = ReturnType<typeof sessionList>;

export function sessionList(db: Database, providers: readonly Provider[]) {
  const warmUp = warmUpCondition(providers);
  // A subagent is listed with the session that started it; if that session is gone, it is listed on its own.
  const listed = `(s.relation IS NULL OR s.relation <> 'subagent'
    OR (NOT ${warmUp} AND NOT EXISTS (SELECT 1 FROM sessions p WHERE p.id = s.parent_id)))`;
  const conditionsOf = (filter: SessionFilter, after: ListPosition | undefined) => {
    const conditions = ['s.copy_of IS NULL', 's.events > 0'];
    const params: SqlValue[] = [];
    const where = (sql: string, ...values: SqlValue[]) => {
      conditions.push(sql);
      params.push(...values);
    };
    if (filter.provider !== undefined) where('s.provider = ?', filter.provider);
    for (const condition of originConditions(filter)) where(...condition);
    if (filter.project !== undefined) where(...projectCondition(filter.project));
    if (filter.sinceMs !== undefined) where('s.end_ms >= ?', filter.sinceMs);
    if (filter.untilMs !== undefined) where('s.start_ms <= ?', filter.untilMs);
    if (filter.minTokens !== undefined) where('s.total_tokens >= ?', filter.minTokens);
    if (filter.failed !== undefined) where(filter.failed ? 's.failures > 0' : 's.failures = 0');
    if (filter.subagents !== true) where(listed);
    if (filter.ids !== undefined)
      where(`s.id IN (${['NULL', ...filter.ids.map(() => '?')].join(', ')})`, ...filter.ids);
    if (filter.except !== undefined) where('s.id <> ?', filter.except);
    if (filter.perProject === true)
      where(`NOT EXISTS (SELECT 1 FROM sessions l WHERE l.project_hash IS s.project_hash AND l.copy_of IS NULL
          AND l.events > 0 AND COALESCE(l.relation, '') <> 'subagent' AND (l.end_ms, l.key) > (s.end_ms, s.key))`);
    if (filter.calls !== undefined && filtersCalls(filter.calls)) {
      const [sql, ...values] = callCondition(filter.calls);
      where(`EXISTS (SELECT 1 FROM tools c WHERE c.session = s.key AND ${sql})`, ...values);
    }
    if (after !== undefined) where('(s.start_ms, s.key) < (?, ?)', ...after);
    return { sql: conditions.join(' AND '), params };
  };
  return {
    /** How many sessions match a filter. */
    async count(filter: SessionFilter): Promise<number> {
      const { sql, params } = conditionsOf(filter, undefined);
      const row = await db.get(`SELECT COUNT(*) AS n FROM sessions s WHERE ${sql}`, ...params);
      return int(row?.n);
    },

    /** Sessions newest first, after a position. */
    async page(
      filter: SessionFilter,
      after: ListPosition | undefined,
      limit: number,
    ): Promise<readonly SessionRow[]> {
      const { sql, params } = conditionsOf(filter, after);
      const rows = await db.all(
        `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE ${sql}
         ORDER BY s.start_ms DESC, s.key DESC LIMIT ?`,
        ...[...params, limit],
      );
      return rows.map(sessionRow);
    },

    /** The values that sessions can be sorted by, newest first: for all that match a filter, up to a limit. */
    async sizes(filter: SessionFilter, limit: number): Promise<readonly SessionSize[]> {
      const { sql, params } = conditionsOf(filter, undefined);
      const rows = await db.all(
        `SELECT s.key, s.id, s.failures, ${WITH_COPIES} AS total_tokens FROM sessions s WHERE ${sql}
         ORDER BY s.start_ms DESC, s.key DESC LIMIT ?`,
        ...[...params, limit],
      );
      return rows.map((row) => ({
        key: int(row.key),
        id: str(row.id),
        failures: int(row.failures),
        totalTokens: int(row.total_tokens),
      }));
    },

    async withKey(key: number): Promise<SessionRow | undefined> {
      const row = await db.get(`SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.key = ?`, key);
      return row && sessionRow(row);
    },

    /** The session with the newest record, of one project or of all. */
    async latest({
      project,
      ...origin
    }: OriginScope & { readonly project?: string | undefined }): Promise<SessionRow | undefined> {
      const all = [
        ...(project === undefined ? [] : [projectCondition(project)]),
        ...originConditions(origin),
      ];
      const row = await db.get(
        `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE ${['s.copy_of IS NULL', ...all.map(([sql]) => sql)].join(' AND ')}
         ORDER BY s.end_ms DESC, s.key DESC LIMIT 1`,
        ...all.flatMap(([, ...params]) => params),
      );
      return row === undefined ? undefined : sessionRow(row);
    },

    /** Projects by their last activity, after a position. */
    async projects(
      after: ProjectPosition | undefined,
      limit: number,
      origin: OriginScope = {},
    ): Promise<readonly ProjectRow[]> {
      const [lastMs, hash] = after ?? [Number.MAX_SAFE_INTEGER, ''];
      const all = originConditions(origin);
      const where = all.length === 0 ? '' : `WHERE ${all.map(([sql]) => sql).join(' AND ')}`;
      const rows = await db.all(
        `SELECT hash, path, n, last_ms, tokens FROM (
           SELECT COALESCE(s.project_hash, '${UNKNOWN_PROJECT}') AS hash, MAX(s.project_path) AS path,
             MAX(s.end_ms) AS last_ms, SUM(s.copy_of IS NULL AND s.events > 0 AND ${listed}) AS n,
             SUM(s.total_tokens) AS tokens
           FROM sessions s ${where} GROUP BY hash) p
         WHERE last_ms < ? OR (last_ms = ? AND hash > ?) ORDER BY last_ms DESC, hash LIMIT ?`,
        ...[...all.map(([, value]) => value), lastMs, lastMs, hash, limit],
      );
      return rows.map((row) => ({
        hash: str(row.hash),
        path: optional(row.path),
        sessions: int(row.n),
        lastMs: int(row.last_ms),
        tokens: int(row.tokens),
      }));
    },

    /** Sessions that name this one as their parent, oldest first. */
    async children(session: SessionRow, limit: number): Promise<readonly SessionRow[]> {
      const rows = await db.all(
        `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.parent_id = ? AND s.copy_of IS NULL
           AND NOT (s.relation = 'subagent' AND ${warmUp})
         ORDER BY s.start_ms, s.key LIMIT ?`,
        ...[session.id, limit],
      );
      return rows.map(sessionRow);
    },
  };
}

/** SQL that is true for a session that its agent started in advance. */
function warmUpCondition(providers: readonly Provider[]): string {
  const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;
  const cases = providers.flatMap(({ id, warmUpPrompt }) =>
    warmUpPrompt === undefined
      ? []
      : [`(s.provider = ${quoted(id)} AND s.snippet = ${quoted(warmUpPrompt)})`],
  );
  return cases.length === 0 ? 'FALSE' : `(${cases.join(' OR ')})`;
}
