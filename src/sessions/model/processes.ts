import type { Part } from './event.ts';
import type { ToolRow } from './event-rows.ts';
import type { AssemblerState } from './state.ts';
import { noteText } from './tool-calls.ts';

/** Running processes by the call that started them, and the calls that write to them. */
export type ProcessState = Map<string, string>;

/** Remembers which process a call continues. */
export function noteWrite(state: ProcessState, part: Part): void {
  if (part.process !== undefined && part.callId !== undefined)
    state.set(`write ${part.callId}`, part.process);
}

/**
 * A long command answers while it is still running; its end comes with a later call that writes to it. Returns the call
 * that started the process once it has ended.
 */
export function endedProcess(
  state: AssemblerState,
  result: Part,
  redact: (text: string) => string,
): ToolRow | undefined {
  const { processes } = state;
  if (result.callId === undefined) return undefined;
  const written = processes.get(`write ${result.callId}`);
  if (written === undefined) {
    if (result.process !== undefined) processes.set(`begun ${result.process}`, result.callId);
    return undefined;
  }
  if (result.exitCode === undefined) return undefined;
  const begun = state.calls.get(processes.get(`begun ${written}`) ?? '');
  processes.delete(`write ${result.callId}`);
  processes.delete(`begun ${written}`);
  if (begun === undefined) return undefined;
  begun.status = result.status ?? begun.status;
  begun.exitCode ??= result.exitCode;
  noteText(begun, result, redact);
  begun.endedMs = Math.max(begun.endedMs, state.ms);
  return begun;
}
