import type { Database, SqlRow } from '../../store/database.ts';
import type { ToolStatus } from '../model/event.ts';
import type { SessionList } from './session-list.ts';
import { int, optional, optionalInt, type SessionRow, statusOf } from './session-row.ts';

/** A session that another one started, and where. */
export interface Subagent {
  readonly session: SessionRow;
  /** The turn that started it. */
  readonly turn: number;
  /** The call that started it, if known. */
  readonly call?: { readonly event: number; readonly step: number } | undefined;
  /** How many subagents it started itself. */
  readonly children: number;
  /** How its last turn ended. */
  readonly outcome: string | undefined;
}

/** A call that started a subagent, whether or not the subagent has its own log. */
export interface AgentRun {
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly description: string | undefined;
  /** The kind of subagent, such as `Explore`. */
  readonly type: string | undefined;
  readonly status: ToolStatus;
  readonly ms: number | undefined;
  /** The id of the session it started, if known. */
  readonly session: string | undefined;
}

interface AgentCall {
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly agent: string | undefined;
  /** The agent's id of the call. */
  readonly id: string | undefined;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** Times in two logs of one agent differ by less than this. */
const CLOCK_SLACK_MS = 2_000;

/** Reads the subagents of a session, oldest first, each with the call that started it. */
export type ReadSubagents = (session: SessionRow, limit: number) => Promise<readonly Subagent[]>;

export function subagentStore(db: Database, list: SessionList): ReadSubagents {
  return async (session, limit) => {
    const children = (await list.children(session, limit)).filter(({ relation }) => relation === 'subagent');
    if (children.length === 0) return [];
    const calls = await agentCalls(db, session.key);
    const turns = await db.all('SELECT idx, start_ms FROM turns WHERE session = ? ORDER BY idx', session.key);
    const marks = children.map(() => '?').join(',');
    const below = new Map(
      (
        await db.all(
          `SELECT parent_id, COUNT(*) AS children FROM sessions
           WHERE parent_id IN (${marks}) AND relation = 'subagent' AND copy_of IS NULL GROUP BY parent_id`,
          ...children.map(({ id }) => id),
        )
      ).map((row) => [String(row.parent_id), int(row.children)]),
    );
    const outcomes = new Map(
      (
        await db.all(
          `SELECT t.session, t.outcome FROM turns t WHERE t.session IN (${marks})
             AND t.idx = (SELECT MAX(l.idx) FROM turns l WHERE l.session = t.session)`,
          ...children.map(({ key }) => key),
        )
      ).map((row) => [int(row.session), optional(row.outcome)]),
    );
    const taken = new Set<number>();
    return children.map((child) => {
      const call = startOf(child, calls, taken);
      if (call !== undefined) taken.add(call.event);
      const turn = call?.turn ?? int(turns.findLast((row) => int(row.start_ms) <= child.startMs)?.idx ?? 0);
      return {
        session: child,
        turn,
        call: call && { event: call.event, step: call.step },
        children: below.get(child.id) ?? 0,
        outcome: outcomes.get(child.key),
      };
    });
  };
}

/** Every call of a session that started a subagent, in order. */
export type ReadAgentRuns = (session: SessionRow) => Promise<readonly AgentRun[]>;

export function agentRunStore(db: Database, subagents: ReadSubagents): ReadAgentRuns {
  return async (session) => {
    const known = new Map(
      (await subagents(session, MAX_SUBAGENTS)).flatMap((child) =>
        child.call === undefined ? [] : [[child.call.event, child.session.id] as const],
      ),
    );
    const rows = await db.all(
      `SELECT call, turn, step, target, agent_type, status, agent_id, result, duration_ms, started_ms, ended_ms
       FROM tools WHERE session = ? AND (agent_id IS NOT NULL OR kind = 'agent') ORDER BY call`,
      session.key,
    );
    return rows.map((row) => ({
      event: int(row.call),
      turn: int(row.turn),
      step: int(row.step),
      description: optional(row.target),
      type: optional(row.agent_type),
      status: statusOf(row.status) ?? 'pending',
      ms: callMs(row),
      session: known.get(int(row.call)) ?? optional(row.agent_id),
    }));
  };
}

const MAX_SUBAGENTS = 10_000;

/** How long a call took, as reported by the agent or from the times of its records; undefined if they are the same. */
export function callMs(row: SqlRow): number | undefined {
  const said = optionalInt(row.duration_ms);
  if (said !== undefined) return said;
  return int(row.result) < 0 ? undefined : int(row.ended_ms) - int(row.started_ms) || undefined;
}

async function agentCalls(db: Database, session: number): Promise<readonly AgentCall[]> {
  const rows = await db.all(
    `SELECT call, turn, step, agent_id, call_id, started_ms, ended_ms FROM tools
     WHERE session = ? AND (agent_id IS NOT NULL OR kind = 'agent') ORDER BY call`,
    session,
  );
  return rows.map((row) => ({
    event: int(row.call),
    turn: int(row.turn),
    step: int(row.step),
    agent: optional(row.agent_id),
    id: optional(row.call_id),
    startedMs: int(row.started_ms),
    endedMs: int(row.ended_ms),
  }));
}

/** The call that the child names, or whose result names the child; else the last other call running at that time. */
function startOf(
  child: SessionRow,
  calls: readonly AgentCall[],
  taken: ReadonlySet<number>,
): AgentCall | undefined {
  const named = calls.find(
    ({ agent, id }) => (id !== undefined && id === child.spawnCall) || agent === child.id,
  );
  if (named !== undefined) return named;
  return calls.findLast(
    ({ agent, event, startedMs, endedMs }) =>
      agent === undefined &&
      !taken.has(event) &&
      startedMs <= child.startMs + CLOCK_SLACK_MS &&
      (endedMs <= 0 || endedMs + CLOCK_SLACK_MS >= child.startMs),
  );
}
