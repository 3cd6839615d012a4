import type { Database, SqlRow, SqlValue } from '../../store/database.ts';
import type { EventType } from '../model/event.ts';
import { int } from '../store/session-row.ts';
import type { CallFilter } from './call-filter.ts';

/** On a team server: on which machine sessions ran, and whose they are. */
export interface OriginScope {
  readonly machine?: string | undefined;
  readonly person?: string | undefined;
}

export interface SearchScope extends OriginScope {
  readonly sessionKey?: number | undefined;
  readonly excludeKeys?: readonly number[] | undefined;
  readonly provider?: string | undefined;
  /** The path of a project, or a prefix of its hash. */
  readonly project?: string | undefined;
  /** Only events of these types. */
  readonly types?: readonly EventType[] | undefined;
  /** Only events of these calls. */
  readonly calls?: CallFilter | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** A block that may contain a match. */
export interface Candidate {
  readonly id: number;
  readonly session: number;
  /** Time of the newest event in it. */
  readonly maxMs: number;
}

/** Up to this many matching blocks are looked up and sorted; if there are more, blocks are read from the newest on. */
const MAX_SORTED_BLOCKS = 512;
/**
 * Sizes of portions in blocks. A very common text is found in the first one. Each portion queries the trigrams again.
 */
const FIRST_PORTION_BLOCKS = 64;
const PORTION_GROWTH = 4;
const MAX_PORTION_BLOCKS = 16_384;

const IS_MATCHING = 'IN (SELECT rowid FROM grams WHERE grams MATCH ?)';

/** Blocks that may contain a match, newest first, in portions that are read only on demand. */
export async function* candidateBlocks(
  db: Database,
  query: string | undefined,
  scope: SearchScope,
): AsyncGenerator<readonly Candidate[]> {
  const { conditions, params } = conditionsOf(scope);
  if (scope.sessionKey !== undefined) {
    const matching = query === undefined ? [] : [`b.id ${IS_MATCHING}`];
    yield await select(
      db,
      [...conditions, ...matching],
      [...params, ...(query === undefined ? [] : [query])],
    );
    return;
  }
  const few = query === undefined ? undefined : await fewBlocks(db, query, conditions, params);
  if (few !== undefined) {
    yield few;
    return;
  }
  let last: Candidate | undefined;
  for (let limit = FIRST_PORTION_BLOCKS; ; limit = Math.min(PORTION_GROWTH * limit, MAX_PORTION_BLOCKS)) {
    const where = [...conditions];
    const values = [...params];
    if (last !== undefined) {
      where.push('(b.max_ms, b.id) < (?, ?)');
      values.push(last.maxMs, last.id);
      // The plus keeps SQLite from looking up every matching block by its number before sorting.
      if (query !== undefined) {
        where.push(`+b.id ${IS_MATCHING}`);
        values.push(query);
      }
    }
    const portion = await select(db, where, values, limit);
    yield portion;
    if (portion.length < limit) return;
    last = portion.at(-1);
  }
}

async function select(
  db: Database,
  conditions: readonly string[],
  params: readonly SqlValue[],
  limit = -1,
): Promise<readonly Candidate[]> {
  const rows = await db.all(
    `SELECT b.id, b.session, b.max_ms FROM blocks b JOIN sessions s ON s.key = b.session
     WHERE ${conditions.join(' AND ')} ORDER BY b.max_ms DESC, b.id DESC LIMIT ?`,
    ...[...params, limit],
  );
  return rows.map(candidate);
}

/**
 * All matching blocks, newest first, if there are few; otherwise undefined. A block of a session that the caller may
 * not see is not visible here, but its match still counts.
 */
async function fewBlocks(
  db: Database,
  query: string,
  conditions: readonly string[],
  params: readonly SqlValue[],
): Promise<readonly Candidate[] | undefined> {
  const rows = await db.all(
    `SELECT b.id, b.session, b.max_ms, ${conditions.join(' AND ')} AS wanted
     FROM (SELECT rowid FROM grams WHERE grams MATCH ? LIMIT ?) g
     LEFT JOIN blocks b ON b.id = g.rowid LEFT JOIN sessions s ON s.key = b.session`,
    ...[...params, query, MAX_SORTED_BLOCKS],
  );
  if (rows.length === MAX_SORTED_BLOCKS) return undefined;
  return rows
    .filter((row) => row.wanted === 1)
    .map(candidate)
    .sort((a, b) => b.maxMs - a.maxMs || b.id - a.id);
}

function candidate(row: SqlRow): Candidate {
  return { id: int(row.id), session: int(row.session), maxMs: int(row.max_ms) };
}

/** SQL for the sessions `s` of a machine and a person. */
export function originConditions({ machine, person }: OriginScope): readonly [string, string][] {
  return [
    ...(machine === undefined ? [] : [['s.machine = ?', machine] satisfies [string, string]]),
    ...(person === undefined ? [] : [['s.person = ?', person] satisfies [string, string]]),
  ];
}

/** Sessions `s` that are not a copy of another, as SQL. */
export const ORIGINALS = 's.copy_of IS NULL';

/** SQL for the sessions `s` of a scope; the caller adds its own conditions on time. */
export function sessionConditions(
  scope: SearchScope,
  column: string,
): { conditions: string[]; params: SqlValue[] } {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  const where = (sql: string, ...values: SqlValue[]) => {
    conditions.push(sql);
    params.push(...values);
  };
  if (scope.sessionKey !== undefined) where(`${column} = ?`, scope.sessionKey);
  else where(ORIGINALS);
  for (const key of scope.excludeKeys ?? []) where(`${column} <> ?`, key);
  if (scope.provider !== undefined) where('s.provider = ?', scope.provider);
  for (const condition of originConditions(scope)) where(...condition);
  if (scope.project !== undefined) where(...projectCondition(scope.project));
  return { conditions, params };
}

function conditionsOf(scope: SearchScope): { conditions: string[]; params: SqlValue[] } {
  const { conditions, params } = sessionConditions(scope, 'b.session');
  if (scope.sinceMs !== undefined) {
    conditions.push('b.max_ms >= ?');
    params.push(scope.sinceMs);
  }
  if (scope.untilMs !== undefined) {
    conditions.push('b.min_ms <= ?');
    params.push(scope.untilMs);
  }
  return { conditions, params };
}

/** Stands in for the project hash if the log does not name a project. */
export const UNKNOWN_PROJECT = 'unknown';

/** SQL for a project, given its path, its name (the end of its path) or a prefix of its hash. */
export function projectCondition(project: string): [string, ...SqlValue[]] {
  if (project === UNKNOWN_PROJECT) return ['s.project_hash IS NULL'];
  const path = project.length > 1 ? project.replace(/\/+$/, '') : project;
  const end = `/${path}`;
  return [
    `(s.project_path = ? OR s.cwd = ? OR (s.project_hash >= ? AND s.project_hash < ?)
      OR substr(s.project_path, ?) = ? COLLATE NOCASE)`,
    ...[path, path, project, `${project}\u{10ffff}`, -end.length, end],
  ];
}
