import { NO_USAGE, type ParsedRecord, type ResponseUsage, totalTokens, type Usage } from './event.ts';
import type { UsageRow } from './event-rows.ts';
import type { AssemblerState } from './state.ts';

export interface UsageState {
  last: Usage | undefined;
  /** Responses have exact records, so running totals only repeat them. */
  exact: boolean;
  /** The session that started this one logs the same tokens. */
  inParent?: boolean;
}

export const NEW_USAGE: UsageState = { last: undefined, exact: false };

const MIN_UNIQUE_ID_LENGTH = 24;

/** Tokens to add for a record, or undefined when it only repeats what was counted. */
function newTokens(
  state: UsageState,
  found: ResponseUsage,
  provider: string,
  thread: string,
): { id: string; usage: Usage } | undefined {
  const { cumulative } = found;
  if (state.inParent === true) return undefined;
  if (cumulative === undefined) {
    if (found.id === undefined) return undefined;
    state.exact = true;
    // Ids this short are not globally unique: they are made by hand, or numbered per session.
    const id = found.id.length < MIN_UNIQUE_ID_LENGTH ? `${found.id}@${thread}` : found.id;
    return { id, usage: found.usage };
  }
  const before = state.last;
  state.last = cumulative;
  if (state.exact) return undefined;
  const total = totalTokens(cumulative);
  const usage = difference(before, cumulative, found.usage);
  return totalTokens(usage) === 0 ? undefined : { id: `${provider}:${thread}:${total}`, usage };
}

/** Repeated records raise a running total, and a rollback resets it: then the last request counts. */
function difference(before: Usage | undefined, now: Usage, last: Usage): Usage {
  if (before === undefined) return totalTokens(last) > 0 ? last : now;
  const growth = totalTokens(now) - totalTokens(before);
  if (growth === 0) return NO_USAGE;
  // A counter that starts again, for instance after a resume, equals the last request.
  if (growth < 0 || totalTokens(now) === totalTokens(last)) return last;
  const less = (name: keyof Usage) => Math.max(0, now[name] - before[name]);
  return {
    input: less('input'),
    cached: less('cached'),
    cacheWrite: less('cacheWrite'),
    cacheWriteHour: 0,
    output: less('output'),
    reasoning: less('reasoning'),
    tool: less('tool'),
  };
}

/** The tokens that a record adds, with their position; those of a copied history belong to its origin. */
export function usageOf(
  state: AssemblerState,
  record: Pick<ParsedRecord, 'usage' | 'response'>,
  provider: string,
  event: number,
  ms: number,
): UsageRow | undefined {
  if (record.usage === undefined) return undefined;
  const found = newTokens(state.usage, record.usage, provider, state.facts.id ?? '');
  if (found === undefined || state.replay !== undefined) return undefined;
  const { usage } = found;
  const relayed = record.usage.relayed === true;
  if (!relayed) state.contextTokens = usage.input + usage.cached + usage.cacheWrite + usage.output;
  // When the previous step is over, a running total comes before the items of its response.
  const ahead = record.usage.cumulative !== undefined && state.stepEnded ? 1 : 0;
  return {
    response: found.id,
    event,
    turn: state.turn?.index ?? -1,
    step: record.usage.ahead === true ? nextStep(state, record.response) : Math.max(0, state.step + ahead),
    ms,
    model: record.usage.model ?? state.facts.model,
    usage,
    lowerBound: record.usage.lowerBound === true,
    relayed,
  };
}

/** The step of a response whose parts follow, unless they came already. */
function nextStep({ responses, turn }: AssemblerState, response: string | undefined): number {
  const known = response === undefined ? undefined : responses.get(response);
  return known ?? turn?.steps ?? 0;
}
