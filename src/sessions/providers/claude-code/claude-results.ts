import type { Part } from '../../model/event.ts';
import { filled, type JsonObject, number, object } from '../../model/log-json.ts';
import { outcomeOfFlag } from '../../model/outcome.ts';
import { contentText } from '../record-parts.ts';

const PERSISTED = /^<persisted-output>[\s\S]{0,400}?Full output saved to: (.+)$/m;

/** A tool's result: what the model saw, with what the agent adds in `toolUseResult`. */
export function toolResult(block: JsonObject, record: JsonObject): Part {
  const output = contentText(block.content);
  const beside = object(record.toolUseResult);
  const outcome =
    beside.interrupted === true
      ? { status: 'cancelled' as const }
      : outcomeOfFlag(block.is_error === true, output);
  const spilledTo = output.startsWith('<persisted-output>') ? PERSISTED.exec(output)?.[1]?.trim() : undefined;
  return {
    type: 'tool_result',
    text: output,
    callId: filled(block.tool_use_id),
    status: outcome.status,
    ...(outcome.exitCode === undefined ? {} : { exitCode: outcome.exitCode }),
    durationMs: number(beside.totalDurationMs) ?? number(beside.durationMs),
    agentId: filled(beside.agentId),
    spilledTo,
  };
}
