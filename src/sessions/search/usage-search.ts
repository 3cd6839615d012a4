import type { Database, SqlRow } from '../../store/database.ts';
import { EVENT_TYPES } from '../model/event.ts';
import { int, optional } from '../store/session-row.ts';
import { type SearchScope, sessionConditions } from './candidates.ts';
import type { Hit } from './event-search.ts';

const TOKEN_USAGE = EVENT_TYPES.indexOf('token_usage');
const EVENTS_PER_READ = 1_000;

/**
 * Token counts of agents that log them in their responses instead of in separate events, newest first. The event is
 * that of the response.
 */
export async function* searchUsage(
  db: Database,
  matches: (line: string) => boolean,
  scope: SearchScope,
  signal: AbortSignal,
): AsyncGenerator<Hit> {
  const { conditions, params } = sessionConditions(scope, 'u.session');
  let last: Hit | undefined;
  for (;;) {
    signal.throwIfAborted();
    const rows = await db.all(
      `SELECT u.*, e.type FROM usage u JOIN sessions s ON s.key = u.session
         JOIN events e ON e.session = u.session AND e.idx = u.event
       WHERE ${conditions.join(' AND ')} AND e.type <> ? AND u.relayed = 0 AND u.ms BETWEEN ? AND ?
         AND (u.ms, u.session, u.event) < (?, ?, ?)
       ORDER BY u.ms DESC, u.session DESC, u.event DESC LIMIT ?`,
      ...[...params, TOKEN_USAGE, scope.sinceMs ?? 0, scope.untilMs ?? Number.MAX_SAFE_INTEGER],
      ...[last?.ms ?? Number.MAX_SAFE_INTEGER, last?.key ?? 0, last?.event ?? 0, EVENTS_PER_READ],
    );
    for (const row of rows) {
      last = usageHit(row);
      if (matches(last.preview)) yield last;
    }
    if (rows.length < EVENTS_PER_READ) return;
  }
}

function usageHit(row: SqlRow): Hit {
  const counts = {
    input_tokens: int(row.input),
    cached_tokens: int(row.cached),
    cache_write_tokens: int(row.cache_write),
    output_tokens: int(row.output),
    reasoning_tokens: int(row.reasoning),
    model: optional(row.model),
  };
  const told = Object.entries(counts).filter(([, value]) => value !== 0 && value !== undefined);
  return {
    key: int(row.session),
    event: int(row.event),
    turn: int(row.turn),
    step: int(row.step),
    ms: int(row.ms),
    type: 'token_usage',
    preview: JSON.stringify(Object.fromEntries(told)),
  };
}

/** Merges two searches, newest first. */
export async function* newestOf(a: AsyncIterator<Hit>, b: AsyncIterator<Hit>): AsyncGenerator<Hit> {
  let [left, right] = [await a.next(), await b.next()];
  for (;;) {
    if (left.done === true && right.done === true) return;
    if (right.done === true || (left.done !== true && left.value.ms >= right.value.ms)) {
      if (left.done !== true) yield left.value;
      left = await a.next();
    } else {
      yield right.value;
      right = await b.next();
    }
  }
}
