import { NO_USAGE, type ResponseUsage, totalTokens, type Usage } from './event.ts';

export interface UsageState {
  last: Usage | undefined;
  /** Exact records per response were seen: running totals are then only repetition. */
  exact: boolean;
}

export const NEW_USAGE: UsageState = { last: undefined, exact: false };

const SHORTEST_ID = 24;

/** Tokens to add for a record, or undefined when it only repeats what was counted. */
export function newTokens(
  state: UsageState,
  found: ResponseUsage,
  thread: string,
): { id: string; usage: Usage } | undefined {
  const { cumulative } = found;
  if (cumulative === undefined) {
    if (found.id === undefined) return undefined;
    if (found.id.startsWith('codex:')) state.exact = true;
    // Ids this short are not unique in the world: made by hand, or numbered per session.
    const id = found.id.length < SHORTEST_ID ? `${found.id}@${thread}` : found.id;
    return { id, usage: found.usage };
  }
  const before = state.last;
  state.last = cumulative;
  if (state.exact) return undefined;
  const total = totalTokens(cumulative);
  const usage = difference(before, cumulative, found.usage);
  return totalTokens(usage) === 0 ? undefined : { id: `codex:${thread}:${total}`, usage };
}

/** Running totals are lifted by repeated records, and set back by a rollback: then the last request counts. */
function difference(before: Usage | undefined, now: Usage, last: Usage): Usage {
  if (before === undefined) return totalTokens(last) > 0 ? last : now;
  const growth = totalTokens(now) - totalTokens(before);
  if (growth === 0) return NO_USAGE;
  if (growth < 0) return last;
  const less = (name: keyof Usage) => Math.max(0, now[name] - before[name]);
  return {
    input: less('input'),
    cached: less('cached'),
    cacheWrite: less('cacheWrite'),
    output: less('output'),
    reasoning: less('reasoning'),
    tool: less('tool'),
  };
}
