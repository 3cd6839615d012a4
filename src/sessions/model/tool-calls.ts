import { redactThenCut } from '../../contract/redact.ts';
import { blamedCheck } from './blamed-check.ts';
import { errorClass, errorLine } from './call-errors.ts';
import { fileOfCall } from './call-file.ts';
import { checkError } from './check-errors.ts';
import { isSilent, verdictOf } from './check-results.ts';
import { type Check, checkOf } from './checks.ts';
import { commandParts } from './command-parts.ts';
import { programOf } from './command-programs.ts';
import { hasHappened, type ParsedRecord, type Part, type Running } from './event.ts';
import type { ToolRow } from './event-rows.ts';
import { hashEnds } from './hash.ts';
import { timedOut } from './outcome.ts';
import { mayCommit, saidCommits } from './said-commits.ts';
import type { AssemblerState } from './state.ts';
import { actionOf, agentTypeOf, type CallNames, runCommand, targetOf } from './tool-kinds.ts';

/** Calls by the agent's call id, oldest first. */
export type CallState = Map<string, ToolRow>;

/** How many answered calls are remembered, for agents that write an answer twice. */
const MAX_REMEMBERED_CALLS = 400;

const MAX_CLEAN_NAMES = 1_000;
const cleanNames = new Map<string, string>();

/** The redacted name of a tool. There are few names, so each is redacted once. */
export function cleanName(name: string, redact: (text: string) => string): string {
  const known = cleanNames.get(name);
  if (known !== undefined) return known;
  if (cleanNames.size >= MAX_CLEAN_NAMES) cleanNames.clear();
  const clean = redact(name);
  cleanNames.set(name, clean);
  return clean;
}

const MAX_LABEL_LENGTH = 120;

/** The redacted label of a record, which may be any text. */
export function shownLabel(label: string, redact: (text: string) => string): string {
  return redactThenCut(label, MAX_LABEL_LENGTH, redact);
}

export function newCall(
  state: AssemblerState,
  part: Part,
  record: ParsedRecord,
  { name, kind, touched }: Pick<CallNames, 'name' | 'kind' | 'touched'>,
  redact: (text: string) => string,
): ToolRow {
  const args = part.args ?? {};
  const command = kind === 'execute' ? runCommand(args, redact) : undefined;
  const check = command === undefined ? undefined : checkOf(command);
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
    action: actionOf({ name, kind, touched, command }, args, state.facts.cwd, redact),
    agentId: part.agentId,
    callId: part.callId,
    sidechain: record.sidechain === true,
    about: {
      target: touched?.path ?? (kind === 'execute' ? undefined : targetOf(args, redact)),
      command: command?.slice(0, MAX_COMMAND_LENGTH),
      program: command === undefined ? undefined : programOf(command),
      parts: command === undefined ? [] : commandParts(command),
      file: touched?.path ?? cleanPath(fileOfCall(kind, args, command, state.facts.cwd), redact),
      agentType: kind === 'agent' ? agentTypeOf(args, redact) : undefined,
    },
    error: undefined,
    errorClass: undefined,
    check: check?.check,
    checkChain: check?.chain,
    chained: check?.chained,
    exitHidden: check?.exitHidden === true,
    piped: check?.piped === true,
    filtered: check?.filtered,
    checkFailed: undefined,
    commits: command !== undefined && mayCommit(command),
    resultBytes: 0,
  };
}

function cleanPath(path: string | undefined, redact: (text: string) => string): string | undefined {
  return path === undefined ? undefined : redact(path);
}

/** Arguments that vary although the command is the same: its description, and how long to wait for it. */
const NOT_RUN: ReadonlySet<string> = new Set([
  ...['description', 'justification', 'timeout', 'timeout_ms', 'yield_time_ms', 'max_output_tokens'],
]);

function whatRuns({ args, text }: Part): string {
  if (args === undefined || !Object.keys(args).some((name) => NOT_RUN.has(name))) return text;
  return JSON.stringify(Object.entries(args).filter(([name]) => !NOT_RUN.has(name)));
}

/** How much of a command is stored. */
const MAX_COMMAND_LENGTH = 500;

/** Error class of all calls that were stopped at their time limit. */
const TIMED_OUT_CLASS = 'timed out';

/** Adds to a call what the text of its result says: why it failed, and whether its check failed. */
export function noteText(row: ToolRow, part: Part, redact: (text: string) => string): void {
  const { status } = row;
  if (status === 'rejected')
    row.error ||= part.said === undefined ? undefined : redactThenCut(part.said, MAX_SAID_LENGTH, redact);
  const output = part.whole ?? part.text;
  const late = (status === 'failed' || status === 'cancelled') && timedOut(part.text, row.exitCode);
  if (late) row.errorClass = TIMED_OUT_CLASS;
  if (status !== 'ok' && status !== 'failed') return;
  if (row.commits) row.saidCommits = saidCommits(output, redact);
  if (row.check !== undefined && row.checkFailed !== true) row.checkFailed = checkFailed(row, output);
  if (row.error || (status !== 'failed' && row.checkFailed !== true)) return;
  const failed = row.checkFailed === true ? checkError(output, redact) : undefined;
  if (row.checkFailed === true)
    row.check = blamedCheck(row.checkChain ?? [], output, failed?.failures ?? []) ?? row.check;
  const line = () => errorLine(row.checkFailed === true ? output : part.text, redact, row.kind !== 'execute');
  row.error = failed?.error ?? line();
  if (row.checkFailed === true)
    row.checkFailures = failed?.failures ?? [
      { runner: undefined, kind: 'check', name: '', message: row.error || undefined },
    ];
  row.errorClass ??= failed?.kind ?? (row.error === '' ? undefined : errorClass(row.error));
}

/** Whether the check of an answered call failed; undefined if its exit code is hidden and nothing else tells. */
function checkFailed(
  { check, status, exitHidden, piped, filtered }: ToolRow,
  output: string,
): boolean | undefined {
  if (status === 'failed' && !piped) return true;
  if (!exitHidden) return false;
  const says = verdictOf(output);
  if (says !== undefined) return says === 'failed';
  // What is printed in full has a verdict if the check failed. Filtered, only silence is one, of checks that are silent.
  const wasSilent = filtered === 'cut' && check !== 'test' && isSilent(output);
  return filtered === undefined || wasSilent ? false : undefined;
}

/** How much of what a person said about a rejected call is stored. */
const MAX_SAID_LENGTH = 1_000;

/** Finds the call that a result answers, and sets its outcome. */
export function answerCall(
  state: CallState,
  part: Part,
  { event, ms, redact }: { event: number; ms: number; redact: (text: string) => string },
): { row: ToolRow | undefined; again: boolean } {
  const row = part.callId === undefined ? undefined : state.get(part.callId);
  if (row === undefined) return { row: undefined, again: false };
  const again = row.result >= 0;
  if (!again) {
    row.result = event;
    if (row.startedMs === 0) row.startedMs = ms;
    row.endedMs = Math.max(row.startedMs, ms);
    if (row.ranFromMs !== undefined) row.durationMs ??= part.durationMs ?? Math.max(0, ms - row.ranFromMs);
  }
  // Of two results for one call, an exit code or a failure in either counts.
  if (!again || hasHappened(row.status)) row.status = part.status ?? row.status;
  row.exitCode ??= part.exitCode;
  row.durationMs ??= part.durationMs;
  row.agentId ??= part.agentId;
  // The agent's total wins over what was counted while the call ran.
  row.agentCalls = part.agentCalls ?? row.agentCalls;
  if (part.text !== '') row.resultBytes ||= Buffer.byteLength(part.text);
  noteText(row, part, redact);
  return { row, again };
}

/** Notes when a call began to run (it may have waited for approval) and its subagent's calls; returns its row. */
export function noteRunning(state: CallState, { callId, ms, calls }: Running): ToolRow | undefined {
  const row = state.get(callId);
  if (row === undefined || row.result >= 0) return undefined;
  if (ms !== undefined) row.ranFromMs ??= Math.max(row.startedMs, ms);
  if (calls !== undefined) row.agentCalls = (row.agentCalls ?? 0) + calls;
  return row;
}

/** Counts the outcome of a call in its turn and session. */
export function noteOutcome(
  state: AssemblerState,
  row: ToolRow,
  before: { readonly failed: boolean; readonly checkFailed: boolean; readonly again: boolean },
): void {
  const { turn } = state;
  const news = hasFailed(row) && !before.failed && !before.checkFailed;
  if (news) state.failures++;
  if (row.status === 'rejected' && !before.again) state.rejected++;
  if (turn === undefined || row.turn !== turn.index) return;
  if (!before.again) turn.openCalls = Math.max(0, turn.openCalls - 1);
  if (news) {
    turn.failed++;
    turn.failedActions.set(row.action, (turn.failedActions.get(row.action) ?? 0) + 1);
  }
  turn.lastFailed = hasFailed(row) ? (turn.failedActions.get(row.action) ?? 1) : 0;
  turn.rejected = row.status === 'rejected';
  if (row.check === undefined || row.checkFailed === undefined) return;
  for (const check of passedChecks(row)) turn.failedChecks.delete(check);
  if (row.checkFailed && !before.checkFailed)
    turn.failedChecks.set(row.check, (turn.failedChecks.get(row.check) ?? 0) + 1);
}

/** A call failed if its check did, even if a pipe hid the exit code. */
function hasFailed({ status, checkFailed }: ToolRow): boolean {
  return status === 'failed' || checkFailed === true;
}

/** The checks of a call that passed: all of a chain, or those before the one that failed. */
function passedChecks({ check, checkChain = [], chained, checkFailed }: ToolRow): readonly Check[] {
  if (check === undefined) return [];
  if (chained !== true) return checkFailed === true ? [] : [check];
  return checkFailed === true ? checkChain.slice(0, Math.max(0, checkChain.indexOf(check))) : checkChain;
}

/** An answer that was written before its call. */
export interface EarlyAnswer {
  readonly event: number;
  readonly ms: number;
  readonly part: Part;
}

/** How many such answers are kept; their calls follow within a few lines. */
const MAX_EARLY_ANSWERS = 64;
const MAX_EARLY_TEXT_LENGTH = 2_000;

/** Keeps an answer whose call has not been read yet: a response may continue after answers to its first calls. */
export function keepEarlyAnswer(
  state: AssemblerState,
  part: Part,
  event: number,
  redact: (text: string) => string,
): void {
  const { callId, status, exitCode, durationMs, agentId, agentCalls, said } = part;
  if (callId === undefined) return;
  const text = redactThenCut(part.text, MAX_EARLY_TEXT_LENGTH, redact);
  const known = { status, exitCode, durationMs, agentId, agentCalls, said };
  const kept: Part = { type: 'tool_result', text, callId, ...known };
  state.earlyAnswers.set(callId, { event, ms: state.ms, part: kept });
  const [oldest] = state.earlyAnswers.keys();
  if (state.earlyAnswers.size > MAX_EARLY_ANSWERS && oldest !== undefined) state.earlyAnswers.delete(oldest);
}

/** Gives a call the answer that was written before it, and returns the event of that answer. */
export function answerWithEarly(
  state: AssemblerState,
  row: ToolRow,
  callId: string | undefined,
  redact: (text: string) => string,
): number | undefined {
  const early = callId === undefined ? undefined : state.earlyAnswers.get(callId);
  if (early === undefined || callId === undefined) return undefined;
  state.earlyAnswers.delete(callId);
  answerCall(state.calls, early.part, { event: early.event, ms: early.ms, redact });
  noteOutcome(state, row, { failed: false, checkFailed: false, again: false });
  return early.event;
}

/** Forgets the oldest answered calls. */
export function forgetOld(calls: CallState): void {
  if (calls.size <= 2 * MAX_REMEMBERED_CALLS) return;
  let spare = calls.size - MAX_REMEMBERED_CALLS;
  for (const [id, row] of calls) {
    if (spare-- <= 0) return;
    if (row.result >= 0) calls.delete(id);
  }
}
