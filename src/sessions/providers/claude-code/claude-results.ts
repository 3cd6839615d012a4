import type { Part, Touch } from '../../model/event.ts';
import { linesOf, markedCounts, sumCounts } from '../../model/line-counts.ts';
import { filled, type JsonObject, list, number, object, text } from '../../model/log-json.ts';
import { type Outcome, outcomeOfFlag } from '../../model/outcome.ts';
import { contentText } from '../record-parts.ts';

const PERSISTED = /^<persisted-output>[\s\S]{0,400}?Full output saved to: (.+)$/m;

/** A tool's result: what the model saw, plus what the agent adds in `toolUseResult`. */
export function toolResult(block: JsonObject, record: JsonObject): Part {
  const output = contentText(block.content);
  const beside = object(record.toolUseResult);
  const outcome: Outcome =
    beside.interrupted === true ? { status: 'cancelled' } : outcomeOfFlag(block.is_error === true, output);
  const spilledTo = output.startsWith('<persisted-output>') ? PERSISTED.exec(output)?.[1]?.trim() : undefined;
  return {
    type: 'tool_result',
    text: output,
    callId: filled(block.tool_use_id),
    status: outcome.status,
    ...(outcome.exitCode === undefined ? {} : { exitCode: outcome.exitCode }),
    said: outcome.said,
    touches: changed(beside),
    durationMs: number(beside.totalDurationMs) ?? number(beside.durationMs),
    agentId: filled(beside.agentId),
    agentCalls: number(beside.totalToolUseCount),
    spilledTo,
  };
}

/** The file that an edit changed, with exact line counts. */
function changed(beside: JsonObject): readonly Touch[] | undefined {
  const path = filled(beside.filePath);
  const hunks = list(beside.structuredPatch);
  if (path === undefined || !Array.isArray(beside.structuredPatch)) return undefined;
  const content = beside.type === 'create' ? text(beside.content) : undefined;
  const lines =
    content === undefined
      ? sumCounts(hunks.map((hunk) => markedCounts(list(object(hunk).lines))))
      : { added: linesOf(content), removed: 0 };
  return [{ path, action: text(beside.type) === undefined ? 'edit' : 'write', lines }];
}
