import type { CheckFailure } from './check-errors.ts';
import type { Check } from './checks.ts';
import type { CommandPart } from './command-parts.ts';
import type { EventType, Facts, ToolStatus, TouchAction, Usage } from './event.ts';
import type { LineCounts } from './line-counts.ts';
import type { SaidCommit } from './said-commits.ts';
import type { ToolKind } from './tool-kinds.ts';

/** Bits that say what is special about an event. */
export const FLAG = {
  /** Repeats another event. */
  mirror: 1,
  /** Copied from the session that this one continues. */
  inherited: 2,
  /** Of a record type that the reader does not know. */
  opaque: 4,
  /** Work of a subagent that is logged inside its parent. */
  sidechain: 8,
  /** A line that is not JSON. */
  bad: 16,
  /** Not worth finding. */
  silent: 32,
  /** The context was compacted here. */
  compaction: 64,
} as const;

export interface EventRow {
  readonly index: number;
  type: EventType;
  flags: number;
  readonly label: string;
  turn: number;
  step: number;
  readonly ms: number;
  readonly offset: number;
  readonly length: number;
  /** Index of the part in its record. */
  readonly part: number;
  readonly name: string | undefined;
  /** For a call its own index, for a result the index of its call. */
  readonly call: number;
  readonly status: ToolStatus | undefined;
  readonly exitCode: number | undefined;
  readonly bytes: number;
  /** Equal for all copies of a record. */
  readonly hash: number;
  /** The text that search sees; dropped once it is stored. */
  readonly search: string;
}

export interface ToolRow {
  readonly call: number;
  result: number;
  readonly turn: number;
  readonly step: number;
  readonly name: string;
  readonly kind: ToolKind;
  status: ToolStatus;
  exitCode: number | undefined;
  startedMs: number;
  endedMs: number;
  durationMs: number | undefined;
  /** When it began to run, if the log says so: it may have waited for approval before. */
  ranFromMs?: number | undefined;
  /** Equal for calls with the same name and arguments; descriptions of a command do not count. */
  readonly digest: number;
  readonly action: string;
  agentId: string | undefined;
  /** How many calls its subagent made, as far as this log says. */
  agentCalls?: number | undefined;
  /** The agent's own id of the call. */
  readonly callId: string | undefined;
  readonly sidechain: boolean;
  /** What the call says about itself; stored with its first row and not kept in the state. */
  readonly about: CallAbout | undefined;
  /** What failed in a check, or the line of a failed result that says why; the words of a person who rejected it. */
  error: string | undefined;
  /** Equal for errors of the same kind. */
  errorClass: string | undefined;
  /** The check that it ran: of several the one that failed, else the most telling one. */
  check: Check | undefined;
  /** All checks of its command line, in order. */
  readonly checkChain?: readonly Check[] | undefined;
  /** Each of them ran only if those before it passed. */
  readonly chained?: boolean | undefined;
  /** The exit code says nothing about the check. */
  readonly exitHidden: boolean;
  /** The exit code is that of a command that reads what the check prints: `grep` fails when it finds nothing. */
  readonly piped: boolean;
  /** What the check printed was cut to its ends, or went to another program or a file. */
  readonly filtered?: 'cut' | 'hidden' | undefined;
  /** Undefined if the log does not tell. */
  checkFailed: boolean | undefined;
  /** What failed in a check; stored with the row, and not kept in the state. */
  checkFailures?: readonly CheckFailure[] | undefined;
  /** Git may have committed something. */
  readonly commits: boolean;
  /** What it committed; stored with the row, and not kept in the state. */
  saidCommits?: readonly SaidCommit[] | undefined;
  resultBytes: number;
}

export interface CallAbout {
  /** The file, pattern, address or task. */
  readonly target: string | undefined;
  readonly command: string | undefined;
  /** The program that the command runs, with its subcommand. */
  readonly program: string | undefined;
  /** The simple commands it consists of. */
  readonly parts: readonly CommandPart[];
  /** The single file that the call is about. */
  readonly file: string | undefined;
  /** The kind of subagent that the call starts. */
  readonly agentType: string | undefined;
}

export interface TouchRow {
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly ms: number;
  readonly path: string;
  readonly action: TouchAction;
  readonly lines: LineCounts | undefined;
}

export type TurnOutcome = 'success' | 'partial' | 'failed' | 'interrupted';

/** A turn while it grows, and the row it becomes. */
export interface TurnRow {
  readonly index: number;
  readonly event: number;
  startMs: number;
  endMs: number;
  readonly prompt: string;
  /** The last thing that the model said. */
  reply: string;
  /** The event of `reply`; -1 before the model says anything. */
  replyEvent: number;
  steps: number;
  calls: number;
  failed: number;
  readonly tools: Map<string, number>;
  readonly actions: Map<string, number>;
  readonly failedActions: Map<string, number>;
  /** How often the action of the last answered call has failed in this turn; 0 when that call succeeded. */
  lastFailed: number;
  /** How often each check has failed since it last passed. */
  readonly failedChecks: Map<Check, number>;
  /** A person rejected the last answered call. */
  rejected: boolean;
  openCalls: number;
  interrupted: boolean;
  broken: boolean;
  /** The model has spoken since its last call. */
  said: boolean;
  compactions: number;
  rewound: boolean;
  inherited: boolean;
}

/** Id prefix of responses that an agent counted but did not log, such as its own compaction requests. */
export const UNLOGGED = 'unlogged:';

export interface UsageRow {
  readonly response: string;
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly ms: number;
  readonly model: string | undefined;
  readonly usage: Usage;
  readonly lowerBound: boolean;
  /** Owned only as long as no other log has the response. */
  readonly relayed: boolean;
}

/** What all records so far say about the session. */
export type SessionFacts = { -readonly [Name in keyof Facts]: Facts[Name] };

/**
 * How a turn ended. Failures that were overcome do not count, only the state at the end does.
 *
 * - `interrupted`: a person stopped it.
 * - `failed`: it broke off with an error of the agent, no call succeeded, or it ended with something that failed: a call
 *   that had failed before or that the model did not comment on, or a check that failed twice or more without passing.
 * - `partial`: something was left open: a check that failed once and was not run again, a last call that failed but was
 *   commented on or that a person rejected, or a call or prompt without an answer.
 * - `success`: the last check of each kind passed, or there was none, and nothing failed at the end.
 */
export function outcomeOf(turn: TurnRow): TurnOutcome {
  if (turn.interrupted) return 'interrupted';
  const nothingWorked = turn.failed > 0 && turn.failed === turn.calls;
  const endedBadly = turn.lastFailed > 1 || (turn.lastFailed === 1 && !turn.said);
  const checks = [...turn.failedChecks.values()];
  if (turn.broken || nothingWorked || endedBadly || checks.some((times) => times > 1)) return 'failed';
  const open = checks.length > 0 || turn.lastFailed > 0 || turn.rejected || turn.openCalls > 0;
  return open || turn.steps === 0 ? 'partial' : 'success';
}

const MAX_KEY_ACTIONS = 3;

/** The notable actions of a turn: those that failed or were repeated, else its changes. */
export function keyActions(turn: TurnRow): readonly string[] {
  const weight = ([action, times]: readonly [string, number]) =>
    times + 2 * (turn.failedActions.get(action) ?? 0) + (/^(?:edit|write|delete) /.test(action) ? 1 : 0);
  return [...turn.actions]
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, MAX_KEY_ACTIONS)
    .map(([action, times]) => {
      const failed = turn.failedActions.get(action) ?? 0;
      return `${action}${times > 1 ? ` ×${times}` : ''}${failed > 0 ? ` (${failed} failed)` : ''}`;
    });
}
