import type { Database } from '../../store/database.ts';
import { int, type SessionRow, statusOf, str } from './session-row.ts';

/** A tool call as a mark on a timeline. */
export interface CallMark {
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly ms: number;
  /** How long it took in milliseconds; undefined where the log does not say. */
  readonly tookMs: number | undefined;
}

/** A model response: the tokens it read (its context) and wrote. */
export interface ResponseMark {
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly ms: number;
  readonly context: number;
  readonly output: number;
}

export interface Timeline {
  readonly calls: readonly CallMark[];
  readonly responses: readonly ResponseMark[];
}

/** Reads the calls and responses of a session in chronological order. */
export type ReadTimeline = (session: SessionRow) => Promise<Timeline>;

export function timelineStore(db: Database): ReadTimeline {
  return async (session) => {
    const calls = await db.all(
      `SELECT call, turn, step, name, kind, status, started_ms,
         COALESCE(duration_ms, CASE WHEN result < 0 THEN NULL ELSE NULLIF(ended_ms - started_ms, 0) END) AS took_ms
       FROM tools WHERE session = ? ORDER BY call`,
      session.key,
    );
    const responses = await db.all(
      `SELECT event, turn, step, ms, input + cached + cache_write + tool AS context, output
       FROM usage WHERE session = ? AND relayed = 0 ORDER BY ms, event`,
      session.key,
    );
    return {
      calls: calls.map((row) => ({
        event: int(row.call),
        turn: int(row.turn),
        step: int(row.step),
        name: str(row.name),
        kind: str(row.kind),
        status: statusOf(row.status) ?? 'pending',
        ms: int(row.started_ms),
        tookMs: row.took_ms === null ? undefined : int(row.took_ms),
      })),
      responses: responses.map((row) => ({
        event: int(row.event),
        turn: int(row.turn),
        step: int(row.step),
        ms: int(row.ms),
        context: int(row.context),
        output: int(row.output),
      })),
    };
  };
}
