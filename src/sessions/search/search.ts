import { setImmediate } from 'node:timers/promises';
import type { Database, SqlRow, SqlValue } from '../../store/database.ts';
import { SEPARATOR, unpackBody, unpackMarks } from '../ingest/blocks.ts';
import type { EventType } from '../model/event.ts';
import { int } from '../store/rows.ts';
import { type Matcher, previewAround } from './matcher.ts';
import { trigramQuery } from './trigrams.ts';

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

export interface Hit {
  readonly key: number;
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly ms: number;
  readonly type: EventType;
  readonly preview: string;
}

/** Events whose text matches, newest first, found as they are asked for. */
export async function* searchEvents(
  db: Database,
  matcher: Matcher,
  scope: SearchScope,
  signal: AbortSignal,
): AsyncGenerator<Hit> {
  const candidates = await candidateBlocks(db, matcher, scope);
  // Hits of blocks that overlap in time wait here until nothing newer can come.
  let waiting: Hit[] = [];
  for (const [index, candidate] of candidates.entries()) {
    signal.throwIfAborted();
    if (index % 4 === 3) await setImmediate();
    waiting.push(...(await hitsIn(db, candidate, matcher, scope)));
    const newestLeft = int(candidates[index + 1]?.max_ms);
    if (waiting.length === 0) continue;
    waiting.sort(newestFirst);
    const ready = waiting.findIndex((hit) => hit.ms < newestLeft);
    yield* ready < 0 ? waiting : waiting.slice(0, ready);
    waiting = ready < 0 ? [] : waiting.slice(ready);
  }
  yield* waiting;
}

function newestFirst(a: Hit, b: Hit): number {
  return b.ms - a.ms || b.key - a.key || b.event - a.event;
}

/** Blocks that may hold a match, by the newest event in them. */
async function candidateBlocks(
  db: Database,
  matcher: Matcher,
  scope: SearchScope,
): Promise<readonly SqlRow[]> {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  const where = (sql: string, ...values: SqlValue[]) => {
    conditions.push(sql);
    params.push(...values);
  };
  const queries = matcher.literals?.map((literal) => trigramQuery(literal));
  if (queries !== undefined && queries.length > 0 && queries.every((query) => query !== undefined)) {
    const any = queries.map((query) => `(${query})`).join(' OR ');
    where('b.id IN (SELECT rowid FROM grams WHERE grams MATCH ?)', any);
  }
  if (scope.sessionKey !== undefined) where('b.session = ?', scope.sessionKey);
  else where('s.copy_of IS NULL');
  for (const key of scope.excludeKeys ?? []) where('b.session <> ?', key);
  if (scope.provider !== undefined) where('s.provider = ?', scope.provider);
  if (scope.project !== undefined) where(...projectCondition(scope.project));
  if (scope.sinceMs !== undefined) where('b.max_ms >= ?', scope.sinceMs);
  if (scope.untilMs !== undefined) where('b.min_ms <= ?', scope.untilMs);
  return db.all(
    `SELECT b.id, b.session, b.max_ms FROM blocks b JOIN sessions s ON s.key = b.session
     WHERE ${conditions.join(' AND ')} ORDER BY b.max_ms DESC, b.id DESC`,
    ...params,
  );
}

/** A project is named by its path or by the beginning of its hash. */
export function projectCondition(project: string): [string, ...SqlValue[]] {
  const path = project.length > 1 ? project.replace(/\/+$/, '') : project;
  return [
    '(s.project_path = ? OR s.cwd = ? OR (s.project_hash >= ? AND s.project_hash < ?))',
    ...[path, path, project, `${project}\u{10ffff}`],
  ];
}

async function hitsIn(
  db: Database,
  candidate: SqlRow,
  matcher: Matcher,
  scope: SearchScope,
): Promise<readonly Hit[]> {
  const row = await db.get('SELECT marks, body FROM blocks WHERE id = ?', int(candidate.id));
  if (row === undefined || !(row.body instanceof Uint8Array)) return [];
  const body = unpackBody(row.body);
  // Most candidates that do not match at all are seen at once, without taking the block apart.
  if (!matcher.mayMatch(body)) return [];
  const marks = unpackMarks(String(row.marks));
  const texts = body.split(SEPARATOR);
  const found = new Map<number, { type: EventType; preview: string }>();
  for (const [index, { event, type }] of marks.entries()) {
    if ((scope.type !== undefined && type !== scope.type) || found.has(event)) continue;
    const text = texts[index] ?? '';
    const match = matcher.find(text);
    if (match !== undefined) found.set(event, { type, preview: previewAround(text, match.at, match.length) });
  }
  if (found.size === 0) return [];
  const key = int(candidate.session);
  const places = await db.all(
    `SELECT idx, turn, step, ms FROM events WHERE session = ? AND idx IN (${[...found.keys()].join(',')})`,
    key,
  );
  return places.flatMap(({ idx, turn, step, ms }) => {
    const hit = found.get(int(idx));
    if (hit === undefined || int(ms) < (scope.sinceMs ?? 0)) return [];
    if (scope.untilMs !== undefined && int(ms) > scope.untilMs) return [];
    return [{ key, event: int(idx), turn: int(turn), step: int(step), ms: int(ms), ...hit }];
  });
}
