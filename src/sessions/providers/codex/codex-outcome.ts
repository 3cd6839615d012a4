import { number, object, parseJson } from '../../model/log-json.ts';
import {
  exitCodeIn,
  isCancelled,
  OUTCOME_HEAD_LENGTH,
  type Outcome,
  rejection,
} from '../../model/outcome.ts';

/** The start of the header that Codex puts before an output. What follows the header is the tool's own text. */
const HEADER = /^(?:Chunk ID: |Wall time: |Exit code: |Process |Original token count: |Total output lines: )/;
const STILL_RUNNING = /^Process running with session ID /m;
const REFUSED =
  /^(?:unsupported (?:custom tool )?call: |failed to parse function arguments|execution error:|exec_command failed|tool call error:|err: |Error: |<tool_use_error>|apply_patch verification failed|failed in sandbox|sandbox error|Tool ".{1,80}" not found|MCP error -?\d+)/i;

function headerOf(output: string): string {
  if (!HEADER.test(output)) return output;
  const end = output.slice(0, OUTCOME_HEAD_LENGTH).indexOf('\nOutput:');
  return end < 0 ? output : output.slice(0, end);
}

/** The outcome of a tool according to its output, since most versions of Codex write nothing better. */
export function outcomeOfText(output: string): Outcome {
  const wrapped =
    output.startsWith('{') && output.includes('"exit_code"') ? object(parseJson(output)) : undefined;
  const metadata = number(object(wrapped?.metadata).exit_code);
  const said = headerOf(output);
  const exitCode = metadata ?? exitCodeIn(said);
  if (exitCode !== undefined) return { status: exitCode === 0 ? 'ok' : 'failed', exitCode };
  const rejected = rejection(said);
  if (rejected !== undefined) return rejected;
  const head = said.slice(0, OUTCOME_HEAD_LENGTH);
  if (isCancelled(head)) return { status: 'cancelled' };
  if (STILL_RUNNING.test(head)) return { status: 'pending' };
  return { status: REFUSED.test(head) ? 'failed' : 'ok' };
}
