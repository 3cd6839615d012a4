import type { ToolStatus } from './event.ts';
import { number, object, parseJson } from './log-json.ts';

export interface Outcome {
  readonly status: ToolStatus;
  readonly exitCode?: number | undefined;
}

const EXIT_CODE =
  /^(?:Exit code:? |Exit Code: |Process exited with code |.{0,80}exited with (?:code|status):? )(-?\d{1,10})\b/im;
const CANCELLED =
  /^(?:aborted by user|.{0,40}(?:operation|request|tool use) (?:was )?(?:cancell?ed|aborted|interrupted|rejected)|\[Request interrupted|The user doesn't want to (?:proceed|take this action)|User cancelled|Command was (?:cancell?ed|aborted))/i;
const STILL_RUNNING = /^Process running with session ID /m;
const REFUSED =
  /^(?:unsupported call: |failed to parse function arguments|execution error:|exec_command failed|tool call error:|err: |Error: |<tool_use_error>|apply_patch verification failed|failed in sandbox|sandbox error|rejected by user|Tool ".{1,80}" not found|MCP error -?\d+)/i;

/** How much of an output is looked at: exit codes stand at one of its ends. */
const HEAD = 600;
const TAIL = 300;

/** The exit code that a client wrote into the text of an output, in any of the spellings they have used. */
export function exitCodeIn(output: string): number | undefined {
  const head = EXIT_CODE.exec(output.slice(0, HEAD));
  if (head?.[1] !== undefined) return Number(head[1]);
  if (output.length <= HEAD) return undefined;
  const tail = EXIT_CODE.exec(output.slice(-TAIL));
  return tail?.[1] === undefined ? undefined : Number(tail[1]);
}

/** Codex puts a header before an output: what follows it is the tool's own words, whatever they say. */
const HEADER = /^(?:Chunk ID: |Wall time: |Exit code: |Process |Original token count: |Total output lines: )/;

function headerOf(output: string): string {
  if (!HEADER.test(output)) return output;
  const end = output.slice(0, HEAD).indexOf('\nOutput:');
  return end < 0 ? output : output.slice(0, end);
}

/** The outcome of a tool as far as its output text tells it: for clients that write nothing better. */
export function outcomeOfText(output: string): Outcome {
  const wrapped =
    output.startsWith('{') && output.includes('"exit_code"') ? object(parseJson(output)) : undefined;
  const metadata = number(object(wrapped?.metadata).exit_code);
  const said = headerOf(output);
  const exitCode = metadata ?? exitCodeIn(said);
  if (exitCode !== undefined) return { status: exitCode === 0 ? 'ok' : 'failed', exitCode };
  const head = said.slice(0, HEAD);
  if (CANCELLED.test(head)) return { status: 'cancelled' };
  if (STILL_RUNNING.test(head)) return { status: 'pending' };
  return { status: REFUSED.test(head) ? 'failed' : 'ok' };
}

/** The outcome where the client says itself whether the tool failed; the text only adds the exit code. */
export function outcomeOfFlag(failed: boolean, output: string): Outcome {
  const head = output.slice(0, HEAD);
  if (failed && CANCELLED.test(head)) return { status: 'cancelled' };
  const exitCode = failed ? exitCodeIn(head) : undefined;
  return { status: failed ? 'failed' : 'ok', ...(exitCode === undefined ? {} : { exitCode }) };
}
