import type { Part, Usage } from '../../model/event.ts';
import { count, isObject, object } from '../../model/log-json.ts';

/** Codex includes cached tokens in input; here input is what was not cached. */
export function codexUsage(value: unknown): Usage {
  const usage = object(value);
  const cached = count(usage.cached_input_tokens);
  const cacheWrite = count(usage.cache_write_input_tokens);
  return {
    input: Math.max(0, count(usage.input_tokens) - cached - cacheWrite),
    cached,
    cacheWrite,
    cacheWriteHour: 0,
    output: count(usage.output_tokens),
    reasoning: count(usage.reasoning_output_tokens),
    tool: 0,
  };
}

/** Token counts as an event, which search finds only when asked for token counts. */
export function usagePart(whole: unknown, ofResponse: unknown): Part {
  return {
    type: 'token_usage',
    silent: true,
    // Made when they are needed: totals of tokens do without them.
    get text() {
      return JSON.stringify(whole ?? {});
    },
    get searchText() {
      return isObject(ofResponse) ? JSON.stringify(ofResponse) : '';
    },
  };
}
