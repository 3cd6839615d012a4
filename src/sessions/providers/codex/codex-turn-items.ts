import type { ParsedRecord, Part } from '../../model/event.ts';
import { filled, type JsonObject, list, number, object, text } from '../../model/log-json.ts';
import { contentText, opaque } from '../record-parts.ts';
import { changesText, changeTouches, durationMs, readTouches } from './codex-changes.ts';

type Body = Omit<ParsedRecord, 'ms'>;

/** `item_completed`: in the paginated format, the record of each thing that happened in a turn. */
export function completedItem(item: JsonObject): Body {
  const type = text(item.type) ?? '(no type)';
  const label = `item_completed/${type}`;
  const known = (part: Part, extra: Partial<Body> = {}): Body => ({
    label,
    known: true,
    parts: [part],
    ...extra,
  });
  switch (type) {
    case 'UserMessage':
      return known({ type: 'user', text: contentText(item.content), prompt: true, echo: true });
    case 'AgentMessage':
      return known({ type: 'message', text: contentText(item.content), echo: true });
    case 'Reasoning': {
      const said = [...list(item.summary_text), ...list(item.raw_content)].map((piece) => contentText(piece));
      return known({ type: 'reasoning', text: said.join('\n\n') || '(encrypted)', echo: true });
    }
    case 'CommandExecution':
      return known(command(item));
    case 'FileChange':
      return known({
        ...result(item),
        text: [text(item.stdout) ?? '', text(item.stderr) ?? '', changesText(item.changes)].join('\n').trim(),
        touches: changeTouches(item.changes),
      });
    case 'McpToolCall':
    case 'DynamicToolCall':
      return known(toolCall(item));
    case 'CollabAgentToolCall':
      return known({
        ...result(item),
        text: JSON.stringify(item.agents_states ?? {}),
        agentId: filled(list(item.receiver_thread_ids)[0]),
      });
    case 'ContextCompaction':
      return known({ type: 'notification', text: 'context compacted' }, { marks: ['compaction'] });
    case 'Plan':
    case 'HookPrompt':
      return known({ type: 'notification', text: filled(item.text) ?? contentText(item.content) });
    case 'EnteredReviewMode':
    case 'ExitedReviewMode':
    case 'SubAgentActivity':
    case 'WebSearch':
    case 'ImageView':
    case 'ImageGeneration':
    case 'Extension':
    case 'Sleep':
      return known({ type: 'notification', text: JSON.stringify(item), silent: true });
    default:
      return opaque(label, item);
  }
}

function result(item: JsonObject): Part {
  const status = text(item.status);
  return {
    type: 'tool_result',
    text: '',
    callId: filled(item.id),
    echo: true,
    status:
      status === 'failed' || status === 'error'
        ? 'failed'
        : status === 'declined'
          ? 'rejected'
          : status === 'cancelled'
            ? 'cancelled'
            : 'ok',
    durationMs: durationMs(item.duration),
  };
}

function command(item: JsonObject): Part {
  const exitCode = number(item.exit_code);
  const base = result(item);
  return {
    ...base,
    text: text(item.aggregated_output) ?? '',
    exitCode,
    status: base.status === 'ok' && exitCode !== undefined && exitCode !== 0 ? 'failed' : base.status,
    touches: readTouches(item.parsed_cmd),
  };
}

function toolCall(item: JsonObject): Part {
  const answer = object(item.result);
  const base = result(item);
  const failed = answer.isError === true || answer.is_error === true || (item.error ?? null) !== null;
  const said =
    answer.content === undefined ? contentText(item.error ?? item.result ?? '') : contentText(answer.content);
  return { ...base, text: said, status: failed ? 'failed' : base.status };
}
