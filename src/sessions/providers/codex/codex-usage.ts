import type { Part, Usage } from '../../model/event.ts';
import { count, isObject, object } from '../../model/log-json.ts';

export function codexUsage(value: unknown): Usage {
  const usage = object(value);
  return codexCounts(
    usage.input_tokens,
    usage.cached_input_tokens,
    usage.cache_write_input_tokens,
    usage.output_tokens,
    usage.reasoning_output_tokens,
  );
}

/** Codex includes cached tokens in its input; here input excludes them. */
export function codexCounts(
  input: unknown,
  cachedInput: unknown,
  cacheWriteInput: unknown,
  output: unknown,
  reasoning: unknown,
): Usage {
  const cached = count(cachedInput);
  const cacheWrite = count(cacheWriteInput);
  return {
    input: Math.max(0, count(input) - cached - cacheWrite),
    cached,
    cacheWrite,
    cacheWriteHour: 0,
    output: count(output),
    reasoning: count(reasoning),
    tool: 0,
  };
}

/** Token counts as an event; search finds it only if it is told to look for token counts. */
export function usagePart(whole: unknown, ofResponse: unknown): Part {
  return {
    type: 'token_usage',
    silent: true,
    // Built on demand: token totals do without it.
    get text() {
      return JSON.stringify(whole ?? {});
    },
    get searchText() {
      return isObject(ofResponse) ? JSON.stringify(ofResponse) : '';
    },
  };
}
