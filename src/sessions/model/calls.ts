import type { Part } from './event.ts';
import type { ToolRow } from './rows.ts';

/** Rows of calls by the client's id for them, oldest first. */
export type CallState = Map<string, ToolRow>;

/** Answered calls are remembered this long, for clients that write an answer twice. */
const REMEMBERED = 400;

/** Finds the call that a result answers and writes the outcome on it. */
export function settle(
  state: CallState,
  part: Part,
  event: number,
  ms: number,
): { row: ToolRow | undefined; again: boolean } {
  const row = part.callId === undefined ? undefined : state.get(part.callId);
  if (row === undefined) return { row: undefined, again: false };
  const again = row.result >= 0;
  if (!again) {
    row.result = event;
    row.endedMs = Math.max(row.startedMs, ms);
  }
  // Two records on one call: an exit code or a failure in either of them counts.
  if (!again || row.status === 'ok' || row.status === 'pending') row.status = part.status ?? row.status;
  row.exitCode ??= part.exitCode;
  row.durationMs ??= part.durationMs;
  row.agentId ??= part.agentId;
  return { row, again };
}

/** Forgets the oldest answered calls. */
export function forgetOld(calls: CallState): void {
  if (calls.size <= 2 * REMEMBERED) return;
  let spare = calls.size - REMEMBERED;
  for (const [id, row] of calls) {
    if (spare-- <= 0) return;
    if (row.result >= 0) calls.delete(id);
  }
}
