import type { ParsedRecord, Part, ResponseUsage } from '../../model/event.ts';
import { count, filled, isObject, type JsonObject, list, object, text } from '../../model/log-json.ts';
import { callPart, contentText } from '../record-parts.ts';

const BLOCKS_KNOWN = new Set([
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'server_tool_use',
  'mcp_tool_use',
  'image',
  'document',
  'fallback',
]);

/** Results of tools that the vendor runs are part of the response, such as `web_search_tool_result`. */
const SERVER_RESULT = /_tool_result$/;

/** The model name in messages that Claude Code wrote itself. */
export const SYNTHETIC = '<synthetic>';

/** One line of an answer: usually one content block, with the usage of the whole response repeated. */
export function assistantRecord(
  record: JsonObject,
): Pick<ParsedRecord, 'label' | 'known' | 'parts'> & Partial<ParsedRecord> & { model?: string | undefined } {
  const message = object(record.message);
  const model = filled(message.model);
  if (model === SYNTHETIC || record.isApiErrorMessage === true) {
    const failed = record.isApiErrorMessage === true;
    const said = contentText(message.content);
    return {
      label: 'assistant/synthetic',
      known: true,
      parts: [{ type: 'notification', text: said }],
      marks: failed ? ['turn_failed'] : [],
    };
  }
  const blocks =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : list(message.content);
  const parts = blocks.map((block) => blockPart(object(block)));
  const known = blocks.every((block) => {
    const type = text(object(block).type) ?? '';
    return BLOCKS_KNOWN.has(type) || SERVER_RESULT.test(type);
  });
  const id = filled(message.id) ?? filled(record.requestId) ?? filled(record.uuid);
  return {
    label: 'assistant',
    known,
    parts: parts.length > 0 ? parts : [{ type: 'message', text: '' }],
    response: id,
    usage: isObject(message.usage) ? responseUsage(id, model, message) : undefined,
    model,
  };
}

/** The response of a subagent that a progress record reports. Its own log may be elsewhere, or deleted. */
export function progressUsage(record: JsonObject): ResponseUsage | undefined {
  const said = object(object(record.data).message);
  const message = object(said.message);
  const model = filled(message.model);
  if (said.type !== 'assistant' || model === SYNTHETIC || !isObject(message.usage)) return undefined;
  return {
    ...responseUsage(filled(message.id) ?? filled(said.requestId), model, message),
    relayed: true,
  };
}

function blockPart(block: JsonObject): Part {
  switch (block.type) {
    case 'thinking': {
      const thought = text(block.thinking) ?? '';
      return { type: 'reasoning', text: thought === '' ? '(encrypted)' : thought };
    }
    case 'redacted_thinking':
      return { type: 'reasoning', text: '(encrypted)' };
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return callPart(filled(block.name) ?? 'tool', filled(block.id), block.input);
    default:
      return SERVER_RESULT.test(text(block.type) ?? '')
        ? serverResult(block)
        : { type: 'message', text: contentText([block]) };
  }
}

function serverResult(block: JsonObject): Part {
  const failed = block.is_error === true || /_error$/.test(text(object(block.content).type) ?? '');
  return {
    type: 'tool_result',
    text: contentText([block]),
    callId: filled(block.tool_use_id),
    status: failed ? 'failed' : 'ok',
  };
}

function responseUsage(
  id: string | undefined,
  model: string | undefined,
  message: JsonObject,
): ResponseUsage {
  const usage = object(message.usage);
  const cacheWrite = count(usage.cache_creation_input_tokens);
  return {
    id: id === undefined ? undefined : `claude:${id}`,
    model,
    // Only a line with a stop reason has the final count.
    lowerBound: message.stop_reason === null || message.stop_reason === undefined,
    usage: {
      input: count(usage.input_tokens),
      cached: count(usage.cache_read_input_tokens),
      cacheWrite,
      cacheWriteHour: Math.min(cacheWrite, count(object(usage.cache_creation).ephemeral_1h_input_tokens)),
      output: count(usage.output_tokens),
      reasoning: count(object(usage.output_tokens_details).thinking_tokens),
      tool: 0,
    },
  };
}
