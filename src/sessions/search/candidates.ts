import type { Database, SqlValue } from '../../store/database.ts';
import type { EventType } from '../model/event.ts';
import { int } from '../store/rows.ts';

export interface SearchScope {
  readonly sessionKey?: number | undefined;
  readonly excludeKeys?: readonly number[] | undefined;
  readonly provider?: string | undefined;
  /** Path or beginning of the hash of a project. */
  readonly project?: string | undefined;
  readonly type?: EventType | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** A block that may hold a match. */
export interface Candidate {
  readonly id: number;
  readonly session: number;
  /** Time of the newest event in it. */
  readonly maxMs: number;
}

/** Up to so many matching blocks are looked up and put in order; more are met by walking from the newest. */
const FEW = 256;
/** A text that stands nearly everywhere is found in the newest blocks without any look-up. */
const FIRST_PORTION = 32;
const LARGEST_PORTION = 4096;

/** Blocks that may hold a match in portions, by the newest event in them. Costs what is asked for, not what there is. */
export async function* candidateBlocks(
  db: Database,
  query: string | undefined,
  scope: SearchScope,
): AsyncGenerator<readonly Candidate[]> {
  const { conditions, params } = conditionsOf(scope);
  const matching = query === undefined ? undefined : 'IN (SELECT rowid FROM grams WHERE grams MATCH ?)';
  const terms = query === undefined ? [] : [query];
  if (scope.sessionKey !== undefined || (query !== undefined && (await isRare(db, query)))) {
    const where = matching === undefined ? conditions : [...conditions, `b.id ${matching}`];
    yield rowsOf(await db.all(select(where, ''), ...params, ...terms));
    return;
  }
  let position: Candidate | undefined;
  for (let limit = FIRST_PORTION; ; limit = Math.min(2 * limit, LARGEST_PORTION)) {
    const where = [...conditions];
    const values = [...params];
    if (position !== undefined) {
      where.push('(b.max_ms, b.id) < (?, ?)');
      values.push(position.maxMs, position.id);
    }
    // The plus keeps SQLite from looking up every matching block by its number before it puts them in order.
    if (position !== undefined && matching !== undefined) {
      where.push(`+b.id ${matching}`);
      values.push(...terms);
    }
    const portion = rowsOf(await db.all(select(where, 'LIMIT ?'), ...values, limit));
    yield portion;
    if (portion.length < limit) return;
    position = portion.at(-1);
  }
}

function select(conditions: readonly string[], limit: string): string {
  return `SELECT b.id, b.session, b.max_ms FROM blocks b JOIN sessions s ON s.key = b.session
    WHERE ${conditions.join(' AND ')} ORDER BY b.max_ms DESC, b.id DESC ${limit}`;
}

function rowsOf(rows: Awaited<ReturnType<Database['all']>>): readonly Candidate[] {
  return rows.map((row) => ({ id: int(row.id), session: int(row.session), maxMs: int(row.max_ms) }));
}

async function isRare(db: Database, query: string): Promise<boolean> {
  const row = await db.get(
    'SELECT COUNT(*) AS n FROM (SELECT 1 FROM grams WHERE grams MATCH ? LIMIT ?)',
    ...[query, FEW],
  );
  return int(row?.n) < FEW;
}

function conditionsOf(scope: SearchScope): { conditions: string[]; params: SqlValue[] } {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  const where = (sql: string, ...values: SqlValue[]) => {
    conditions.push(sql);
    params.push(...values);
  };
  if (scope.sessionKey !== undefined) where('b.session = ?', scope.sessionKey);
  else where('s.copy_of IS NULL');
  for (const key of scope.excludeKeys ?? []) where('b.session <> ?', key);
  if (scope.provider !== undefined) where('s.provider = ?', scope.provider);
  if (scope.project !== undefined) where(...projectCondition(scope.project));
  if (scope.sinceMs !== undefined) where('b.max_ms >= ?', scope.sinceMs);
  if (scope.untilMs !== undefined) where('b.min_ms <= ?', scope.untilMs);
  return { conditions, params };
}

/** A project is named by its path or by the beginning of its hash. */
export function projectCondition(project: string): [string, ...SqlValue[]] {
  const path = project.length > 1 ? project.replace(/\/+$/, '') : project;
  return [
    '(s.project_path = ? OR s.cwd = ? OR (s.project_hash >= ? AND s.project_hash < ?))',
    ...[path, path, project, `${project}\u{10ffff}`],
  ];
}
