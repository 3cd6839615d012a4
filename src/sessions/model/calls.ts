import type { ParsedRecord, Part } from './event.ts';
import { hashEnds } from './hash.ts';
import type { ToolRow } from './rows.ts';
import type { AssemblerState } from './state.ts';
import { actionOf, toolKind } from './tools.ts';

/** Rows of calls by the client's id for them, oldest first. */
export type CallState = Map<string, ToolRow>;

/** Answered calls are remembered this long, for clients that write an answer twice. */
const REMEMBERED = 400;

/** The row of a call that was just made. */
export function newCall(
  state: AssemblerState,
  part: Part,
  record: ParsedRecord,
  redact: (text: string) => string,
): ToolRow {
  const name = part.name ?? 'tool';
  const kind = toolKind(name);
  return {
    call: state.events,
    result: -1,
    turn: state.turn?.index ?? -1,
    step: state.step,
    name,
    kind,
    status: part.status ?? 'pending',
    exitCode: undefined,
    startedMs: record.ms ?? state.ms,
    endedMs: record.ms ?? state.ms,
    durationMs: undefined,
    digest: hashEnds(`${name} ${part.text}`),
    action: redact(actionOf({ ...part, args: part.args ?? {} }, state.facts.cwd)),
    agentId: part.agentId,
    callId: kind === 'agent' ? part.callId : undefined,
    sidechain: record.sidechain === true,
  };
}

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
    if (row.startedMs === 0) row.startedMs = ms;
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
