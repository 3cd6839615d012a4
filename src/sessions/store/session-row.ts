import type { SqlRow, SqlValue } from '../../store/database.ts';
import { TOOL_STATUSES, type ToolStatus } from '../model/event.ts';

/** A database returns untyped values; these functions return the type that the schema promises. */
export function int(value: SqlValue | undefined): number {
  return Number(value ?? 0);
}

export function str(value: SqlValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function optional(value: SqlValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function optionalInt(value: SqlValue | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

export function statusOf(value: SqlValue | undefined): ToolStatus | undefined {
  return TOOL_STATUSES.find((name) => name === value);
}

/** A session as the index knows it. */
export interface SessionRow {
  readonly key: number;
  readonly id: string;
  readonly copyOf: string | undefined;
  /** The id of the agent's provider, which may no longer be in the list. */
  readonly provider: string;
  /** Set for sessions that a collector sent. */
  readonly machine: string | undefined;
  readonly person: string | undefined;
  readonly projectHash: string | undefined;
  readonly projectPath: string | undefined;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
  readonly version: string | undefined;
  readonly model: string | undefined;
  readonly title: string | undefined;
  readonly agentName: string | undefined;
  readonly parentId: string | undefined;
  readonly relation: string | undefined;
  readonly spawnCall: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly snippet: string;
  readonly lastPrompt: string;
  readonly lastMessage: string;
  readonly turns: number;
  readonly steps: number;
  readonly events: number;
  readonly toolCalls: number;
  readonly failures: number;
  /** Calls that a person rejected, and turns that a person stopped. */
  readonly rejected: number;
  readonly interrupted: number;
  readonly compactions: number;
  readonly badLines: number;
  readonly unknownRecords: number;
  readonly contextTokens: number;
  readonly contextWindow: number | undefined;
  readonly totalTokens: number;
}

/** SQL for the tokens of a session and of the copies of its log. */
export const WITH_COPIES =
  's.total_tokens + COALESCE((SELECT SUM(c.total_tokens) FROM sessions c WHERE c.copy_of = s.id), 0)';

export const SESSION_COLUMNS = `s.key, s.id, s.copy_of, s.provider, s.machine, s.person, s.project_hash, s.project_path, s.cwd, s.branch,
  s.version, s.model, s.title, s.agent_name, s.parent_id, s.relation, s.spawn_call, s.start_ms, s.end_ms, s.snippet,
  s.last_prompt, s.last_message, s.turns, s.steps, s.events, s.tool_calls, s.failures, s.rejected, s.interrupted, s.compactions, s.bad_lines, s.unknown_records,
  s.context_tokens, s.context_window,
  ${WITH_COPIES} AS total_tokens`;

export function sessionRow(row: SqlRow): SessionRow {
  return {
    key: int(row.key),
    id: str(row.id),
    copyOf: optional(row.copy_of),
    provider: str(row.provider),
    machine: optional(row.machine),
    person: optional(row.person),
    projectHash: optional(row.project_hash),
    projectPath: optional(row.project_path),
    cwd: optional(row.cwd),
    branch: optional(row.branch),
    version: optional(row.version),
    model: optional(row.model),
    title: optional(row.title),
    agentName: optional(row.agent_name),
    parentId: optional(row.parent_id),
    relation: optional(row.relation),
    spawnCall: optional(row.spawn_call),
    startMs: int(row.start_ms),
    endMs: int(row.end_ms),
    snippet: str(row.snippet),
    lastPrompt: str(row.last_prompt),
    lastMessage: str(row.last_message),
    turns: int(row.turns),
    steps: int(row.steps),
    events: int(row.events),
    toolCalls: int(row.tool_calls),
    failures: int(row.failures),
    rejected: int(row.rejected),
    interrupted: int(row.interrupted),
    compactions: int(row.compactions),
    badLines: int(row.bad_lines),
    unknownRecords: int(row.unknown_records),
    contextTokens: int(row.context_tokens),
    contextWindow: optionalInt(row.context_window),
    totalTokens: int(row.total_tokens),
  };
}
