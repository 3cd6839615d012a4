import { redactThenCut } from '../../contract/redact.ts';
import type { ParsedRecord, Part } from './event.ts';
import type { ToolRow } from './event-rows.ts';
import { hashEnds } from './hash.ts';
import type { AssemblerState } from './state.ts';
import { actionOf, type Tools } from './tool-kinds.ts';

/** Rows of calls by the client's id for them, oldest first. */
export type CallState = Map<string, ToolRow>;

/** Answered calls are remembered this long, for clients that write an answer twice. */
const REMEMBERED = 400;

const NAMES_KEPT = 1_000;
const cleanNames = new Map<string, string>();

/** The name of a tool as it is kept: there are few of them, so each is looked at once. */
export function cleanName(name: string, redact: (text: string) => string): string {
  const known = cleanNames.get(name);
  if (known !== undefined) return known;
  if (cleanNames.size >= NAMES_KEPT) cleanNames.clear();
  const clean = redact(name);
  cleanNames.set(name, clean);
  return clean;
}

const LABEL_LENGTH = 120;

/** What kind of record it is, as it is kept: in the words of the log, which may be any. */
export function shownLabel(label: string, redact: (text: string) => string): string {
  return redactThenCut(label, LABEL_LENGTH, redact);
}

/** The row of a call that was just made. */
export function newCall(
  state: AssemblerState,
  part: Part,
  record: ParsedRecord,
  tools: Tools,
  redact: (text: string) => string,
): ToolRow {
  const name = cleanName(part.name ?? 'tool', redact);
  const kind = tools.kindOf(name);
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
    digest: hashEnds(`${name} ${kind === 'execute' ? whatRuns(part) : part.text}`),
    action: actionOf(tools, name, part.args ?? {}, state.facts.cwd, redact),
    agentId: part.agentId,
    callId: kind === 'agent' ? part.callId : undefined,
    sidechain: record.sidechain === true,
  };
}

/** What a model says about a command, and how long it waits for it, is new each time; the command is the same. */
const NOT_RUN: ReadonlySet<string> = new Set([
  ...['description', 'justification', 'timeout', 'timeout_ms', 'yield_time_ms', 'max_output_tokens'],
]);

function whatRuns({ args, text }: Part): string {
  if (args === undefined || !Object.keys(args).some((name) => NOT_RUN.has(name))) return text;
  return JSON.stringify(Object.entries(args).filter(([name]) => !NOT_RUN.has(name)));
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

/** What a settled call means for its turn and session. */
export function noteOutcome(
  state: AssemblerState,
  row: ToolRow,
  before: { readonly failed: boolean; readonly again: boolean },
): void {
  const { turn } = state;
  const failed = row.status === 'failed' && !before.failed;
  if (failed) state.failures++;
  if (turn === undefined || row.turn !== turn.index) return;
  if (!before.again) turn.openCalls = Math.max(0, turn.openCalls - 1);
  if (failed) {
    turn.failed++;
    turn.failedActions.set(row.action, (turn.failedActions.get(row.action) ?? 0) + 1);
  }
  turn.lastFailed = row.status === 'failed' ? (turn.failedActions.get(row.action) ?? 1) : 0;
}

/** An answer that was written before its call. */
export interface EarlyAnswer {
  readonly event: number;
  readonly ms: number;
  readonly part: Part;
}

/** Such answers wait this long: their calls stand a few lines further down. */
const EARLY = 64;

/** Keeps an answer whose call is not there yet: lines of one response may follow the answers to its first calls. */
export function keepEarly(state: AssemblerState, part: Part, event: number): void {
  const { callId, status, exitCode, durationMs, agentId } = part;
  if (callId === undefined) return;
  const kept: Part = { type: 'tool_result', text: '', callId, status, exitCode, durationMs, agentId };
  state.early.set(callId, { event, ms: state.ms, part: kept });
  const [oldest] = state.early.keys();
  if (state.early.size > EARLY && oldest !== undefined) state.early.delete(oldest);
}

/** Gives a call the answer that was written before it; the event of the answer, if there was one. */
export function settleEarly(
  state: AssemblerState,
  row: ToolRow,
  callId: string | undefined,
): number | undefined {
  const early = callId === undefined ? undefined : state.early.get(callId);
  if (early === undefined || callId === undefined) return undefined;
  state.early.delete(callId);
  settle(state.calls, early.part, early.event, early.ms);
  noteOutcome(state, row, { failed: false, again: false });
  return early.event;
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
