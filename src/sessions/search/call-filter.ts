import type { SqlValue } from '../../store/database.ts';
import type { Check } from '../model/checks.ts';
import { TOOL_KINDS } from '../model/tool-kinds.ts';

export const CALL_STATUSES = ['failed', 'rejected', 'cancelled', 'ok'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** Which calls match; an event matches if its call does. */
export interface CallFilter {
  /** The name of a tool in any case, or a kind of tool such as `execute`. */
  readonly tool?: string | undefined;
  readonly status?: CallStatus | undefined;
  readonly check?: Check | undefined;
  /** Only calls whose result has at least this many bytes. */
  readonly minBytes?: number | undefined;
  /** The agent's id of the call. */
  readonly id?: string | undefined;
}

export function filtersCalls(filter: CallFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** SQL for the status of a call: a call whose check failed has failed, even if a pipe hid the exit code. */
export function callStatus(call: string): string {
  return `CASE WHEN ${call}.check_failed = 1 THEN 'failed' ELSE ${call}.status END`;
}

/** SQL that is true for matching rows `c` of the calls. */
export function callCondition({
  tool,
  status,
  check,
  minBytes,
  id,
}: CallFilter): readonly [sql: string, ...values: SqlValue[]] {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const where = (sql: string, ...given: SqlValue[]) => {
    conditions.push(sql);
    values.push(...given);
  };
  if (tool !== undefined) {
    const isKind = TOOL_KINDS.some((kind) => kind === tool);
    where(isKind ? 'c.kind = ?' : 'c.name = ? COLLATE NOCASE', tool);
  }
  if (status !== undefined) where(`${callStatus('c')} = ?`, status);
  if (check !== undefined) where('c.check_kind = ?', check);
  if (minBytes !== undefined) where('c.result_bytes >= ?', minBytes);
  if (id !== undefined) where('c.call_id = ?', id);
  return [conditions.join(' AND ') || '1 = 1', ...values];
}
