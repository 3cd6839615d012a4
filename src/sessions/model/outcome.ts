import type { ToolStatus } from './event.ts';

export interface Outcome {
  readonly status: ToolStatus;
  readonly exitCode?: number | undefined;
  /** The words of the person who rejected the call. */
  readonly said?: string | undefined;
}

const EXIT_CODE =
  /^(?:Exit code:? |Exit Code: |Process exited with code |.{0,80}exited with (?:code|status):? )(-?\d{1,10})\b/im;
const CANCELLED =
  /^(?:aborted by user|.{0,40}(?:operation|request|tool use) (?:was )?(?:cancell?ed|aborted|interrupted)|\[Request interrupted|User cancelled|Command was (?:cancell?ed|aborted)|(?:<tool_use_error>)?Sibling tool call errored)/i;
/** A person was asked whether a call may run, and said no. */
const REJECTED =
  /^(?:The user doesn't want to (?:proceed|take this action)|(?:.{0,40} )?(?:rejected|declined|denied) by (?:the )?user(?=\s*(?:[.:;!\n]|$))|.{0,60}\buser (?:did not allow|rejected|declined|denied) (?:the |this )?(?:tool|call|command|patch|operation|action)|.{0,40}tool use (?:was )?rejected)/i;
const WORDS = /(?:the user said|user(?:'s)? (?:feedback|message|comment)|reason given)\s*:\s*([\s\S]+)/i;

/** The agent, or the program `timeout`, stopped a command at its time limit. */
const TIMED_OUT =
  /^(?:<\w+>\s*)?(?:Error: )?(?:(?:the )?(?:shell )?(?:command|tool(?: call| execution)?|bash tool|process|execution|operation|request) (?:was )?(?:timed out|(?:automatically )?(?:cancell?ed|terminated|killed|aborted|stopped)[^\n]{0,40}(?:time-?out|time limit))|bash tool terminated command after exceeding timeout|timed out after \d)/im;
/** Exit code of the program `timeout`, and of agents that stop commands the same way. */
const TIMEOUT_EXIT = 124;

/** Characters at each end of an output that are searched for the outcome of the call. */
export const OUTCOME_HEAD_LENGTH = 600;
const OUTCOME_TAIL_LENGTH = 300;

/** The exit code that an agent wrote into the text of an output, in any of the spellings agents have used. */
export function exitCodeIn(output: string): number | undefined {
  const head = EXIT_CODE.exec(output.slice(0, OUTCOME_HEAD_LENGTH));
  if (head?.[1] !== undefined) return Number(head[1]);
  if (output.length <= OUTCOME_HEAD_LENGTH) return undefined;
  const tail = EXIT_CODE.exec(output.slice(-OUTCOME_TAIL_LENGTH));
  return tail?.[1] === undefined ? undefined : Number(tail[1]);
}

/** Whether the beginning of an output says that a person, or the agent after another call failed, stopped the call. */
export function isCancelled(head: string): boolean {
  return CANCELLED.test(head);
}

/** Whether a call was stopped at its time limit. */
export function timedOut(output: string, exitCode: number | undefined): boolean {
  if (exitCode === TIMEOUT_EXIT) return true;
  return (
    TIMED_OUT.test(output.slice(0, OUTCOME_HEAD_LENGTH)) || TIMED_OUT.test(output.slice(-OUTCOME_TAIL_LENGTH))
  );
}

/** The outcome of a call that a person rejected, with their words; undefined for other calls. */
export function rejection(output: string): Outcome | undefined {
  if (!REJECTED.test(output.slice(0, OUTCOME_HEAD_LENGTH))) return undefined;
  const said = WORDS.exec(output)?.[1]?.trim();
  return said === undefined || said === '' ? { status: 'rejected' } : { status: 'rejected', said };
}

/** The outcome if the agent itself says whether the tool failed; the text only adds the exit code. */
export function outcomeOfFlag(failed: boolean, output: string): Outcome {
  const head = output.slice(0, OUTCOME_HEAD_LENGTH);
  const rejected = failed ? rejection(output) : undefined;
  if (rejected !== undefined) return rejected;
  if (failed && isCancelled(head)) return { status: 'cancelled' };
  const exitCode = failed ? exitCodeIn(head) : undefined;
  return { status: failed ? 'failed' : 'ok', ...(exitCode === undefined ? {} : { exitCode }) };
}
