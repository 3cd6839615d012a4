import type { Database } from '../../store/database.ts';
import type { ToolStatus } from '../model/event.ts';
import { FLAG } from '../model/event-rows.ts';
import { STOPS_OF_LOGS } from '../stop-table.ts';
import { int, optional, optionalInt, type SessionRow, statusOf, str } from '../store/session-row.ts';
import { callMs } from '../store/subagents.ts';
import type { TurnSummary, Turns } from '../store/turn-store.ts';
import type { UsageTotals } from '../tokens/totals.ts';

export interface CallFact {
  readonly call: number;
  readonly result: number;
  readonly turn: number;
  readonly step: number;
  readonly name: string;
  readonly kind: string;
  readonly status: ToolStatus;
  readonly exitCode: number | undefined;
  readonly ms: number;
  readonly digest: number;
  readonly action: string;
  readonly target: string | undefined;
  readonly error: string | undefined;
  /** The check it ran, and whether that failed, even if a pipe hid the exit code. */
  readonly check: string | undefined;
  readonly checkFailed: boolean | undefined;
}

export interface EditFact {
  readonly path: string;
  /** The name of its repository; undefined for a file outside any repository. */
  readonly repo: string | undefined;
  readonly turn: number;
  readonly event: number;
  readonly step: number;
}

/** What the lenses examine: everything about a session except its texts. */
export interface SessionFigures {
  readonly session: SessionRow;
  /** The context window that its agent probably uses, if the log does not name one. */
  readonly assumedWindow: number | undefined;
  readonly turns: readonly TurnSummary[];
  readonly calls: readonly CallFact[];
  readonly edits: readonly EditFact[];
  readonly compactions: readonly { readonly turn: number; readonly event: number }[];
  /** Interruptions, except those that only follow a rejected call. In turn -1, an earlier session was interrupted. */
  readonly interruptions: readonly { readonly turn: number; readonly event: number }[];
  readonly counts: Readonly<Record<string, number>>;
}

const MAX_TURNS = 1_000_000;

export interface FigureSources {
  readonly db: Database;
  readonly turns: Turns;
  readonly usage: UsageTotals;
  /** Whether findings can be stored: false if another process writes the index. */
  readonly writable: boolean;
}

export async function gatherFigures(
  { db, turns, usage }: FigureSources,
  session: SessionRow,
): Promise<SessionFigures> {
  const calls = await db.all(
    `SELECT call, result, turn, step, name, kind, status, exit_code, started_ms, ended_ms, duration_ms, digest, action, target,
       error, check_kind, check_failed FROM tools WHERE session = ? ORDER BY call`,
    session.key,
  );
  const edits = await db.all(
    `SELECT t.path, t.repo, t.turn, t.event, t.step FROM touches t JOIN tools c ON c.session = t.session AND c.call = t.event
     WHERE t.session = ? AND t.action IN ('edit', 'write') AND c.status NOT IN ('failed', 'rejected') ORDER BY t.event`,
    session.key,
  );
  const compactions = await db.all(
    `SELECT turn, idx FROM events WHERE session = ? AND flags & ${FLAG.compaction} <> 0 ORDER BY idx`,
    session.key,
  );
  const interruptions = await db.all(
    `SELECT p.turn, p.event FROM (${STOPS_OF_LOGS.replaceAll('{db}.', '')}) p
     WHERE p.session = ? AND p.kind = 'interrupted' ORDER BY p.event`,
    session.key,
  );
  const counts = await db.all(
    `SELECT type, COUNT(*) AS n FROM events WHERE session = ? AND flags & ${FLAG.mirror} = 0 GROUP BY type`,
    session.key,
  );
  return {
    session,
    assumedWindow: usage.assumedWindow(session),
    turns: await turns.after(session, -1, MAX_TURNS),
    calls: calls.map((row) => ({
      call: int(row.call),
      result: int(row.result),
      turn: int(row.turn),
      step: int(row.step),
      name: str(row.name),
      kind: str(row.kind),
      status: statusOf(row.status) ?? 'pending',
      exitCode: optionalInt(row.exit_code),
      ms: callMs(row) ?? 0,
      digest: int(row.digest),
      action: str(row.action),
      target: optional(row.target),
      error: optional(row.error),
      check: optional(row.check_kind),
      checkFailed: row.check_failed === null ? undefined : row.check_failed === 1,
    })),
    edits: edits.map((row) => ({
      path: str(row.path),
      repo: optional(row.repo),
      turn: int(row.turn),
      event: int(row.event),
      step: int(row.step),
    })),
    compactions: compactions.map((row) => ({ turn: int(row.turn), event: int(row.idx) })),
    interruptions: interruptions.map((row) => ({ turn: int(row.turn), event: int(row.event) })),
    counts: Object.fromEntries(counts.map((row) => [COUNT_NAMES[int(row.type)] ?? 'other', int(row.n)])),
  };
}

/** In the order of EVENT_TYPES. */
const COUNT_NAMES = [
  'user_messages',
  'assistant_messages',
  'reasoning',
  'tool_calls',
  'tool_results',
  'token_usage',
  'notifications',
  'interruptions',
];
