import type { Usage } from '../../model/event.ts';
import { filled, text, time } from '../../model/log-json.ts';
import { OBJECT } from '../../read/line-scanner-memory.ts';
import type { TokenRecord, TokenRecords } from '../provider.ts';
import { codexCounts } from './codex-usage.ts';

const COUNTS = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_input_tokens',
  'output_tokens',
  'reasoning_output_tokens',
];
const LAST = 'payload.info.last_token_usage';
const TOTAL = 'payload.info.total_token_usage';
const EXACT = 'payload.usage';
const FIRST = [
  ...['timestamp', 'created_at', 'type', 'record_type'],
  ...['payload', 'payload.type', 'payload.model', 'payload.response_id', TOTAL],
];

/** The records of a Codex rollout that say anything about tokens; each begins with its type. */
export const codexTokenRecords: TokenRecords = {
  words: ['"token_', '"turn_context', '"session_meta', '"thread_name'],
  within: 160,
  paths: [...FIRST, ...[LAST, TOTAL, EXACT].flatMap((usage) => COUNTS.map((name) => `${usage}.${name}`))],
  tokens(values) {
    const [timestamp, createdAt, type, recordType, payload, kind, model, responseId, total] = values;
    if (recordType !== undefined || payload !== OBJECT) return undefined;
    const ms = time(timestamp) ?? time(createdAt);
    if (type === 'event_msg' && text(kind) === 'token_count') {
      if (total !== OBJECT) return nothing(ms);
      const cumulative = usageAt(values, 1);
      return { ms, usage: { usage: usageAt(values, 0), cumulative }, model: undefined, id: undefined };
    }
    if (type === 'token_usage_record') {
      const id = filled(responseId);
      const usage = { id: id === undefined ? undefined : `codex:${id}`, usage: usageAt(values, 2) };
      return { ms, usage, model: undefined, id: undefined };
    }
    // Of these, only thread_name_updated says anything about the session: its title.
    if (type === 'response_item' || (type === 'event_msg' && kind !== 'thread_name_updated'))
      return nothing(ms);
    return type === 'turn_context' ? { ...nothing(ms), model: filled(model) } : undefined;
  },
};

function nothing(ms: number | undefined): TokenRecord {
  return { ms, usage: undefined, model: undefined, id: undefined };
}

/** One of the three lists of counts. */
function usageAt(values: readonly unknown[], list: number): Usage {
  const at = FIRST.length + list * COUNTS.length;
  return codexCounts(values[at], values[at + 1], values[at + 2], values[at + 3], values[at + 4]);
}
