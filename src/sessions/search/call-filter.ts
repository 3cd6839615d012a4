import type { SqlValue } from '../../store/database.ts';
import { TOOL_KINDS } from '../model/tool-kinds.ts';

export const CALL_STATUSES = ['failed', 'rejected', 'cancelled', 'ok'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** Which calls are wanted; an event is wanted if its call is. */
export interface CallFilter {
  /** The name of a tool in any case, or a kind of tools such as `execute`. */
  readonly tool?: string | undefined;
  readonly status?: CallStatus | undefined;
}

export function filtersCalls({ tool, status }: CallFilter): boolean {
  return tool !== undefined || status !== undefined;
}

/** SQL that is true for the wanted rows `c` of the calls. */
export function callCondition({ tool, status }: CallFilter): readonly [sql: string, ...values: SqlValue[]] {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  if (tool !== undefined) {
    const isKind = TOOL_KINDS.some((kind) => kind === tool);
    conditions.push(isKind ? 'c.kind = ?' : 'c.name = ? COLLATE NOCASE');
    values.push(tool);
  }
  if (status !== undefined) {
    conditions.push('c.status = ?');
    values.push(status);
  }
  return [conditions.join(' AND ') || '1 = 1', ...values];
}
