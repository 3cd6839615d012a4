import type { SqlRow } from '../../store/database.ts';
import { NO_USAGE, totalTokens, type Usage } from '../model/event.ts';
import { UNLOGGED } from '../model/event-rows.ts';
import { int, str } from '../store/session-row.ts';
import { costOf, LONG_CONTEXTS, type PriceTable, priceOf } from './prices.ts';

/** Tokens of a group of responses, and how exact they are. */
export interface TokenTotal {
  readonly usage: Usage;
  readonly total: number;
  readonly responses: number;
  /** Responses whose final output count was never logged. */
  readonly lowerBounds: number;
  /** Estimated cost in dollars, for the models that have a price. */
  readonly cost: number;
  /** Responses to prompts long enough that their tokens cost more. */
  readonly longResponses: number;
  readonly unpriced: readonly string[];
  readonly models: readonly string[];
}

/** Columns of the rows that {@link addUp} takes, over the responses `u`. */
export const SUMS = `SUM(u.input) AS input, SUM(u.cached) AS cached, SUM(u.cache_write) AS cache_write,
  SUM(u.cache_write_hour) AS cache_write_hour,
  SUM(u.output) AS output, SUM(u.reasoning) AS reasoning, SUM(u.tool) AS tool, COUNT(*) AS responses,
  SUM(u.lower_bound) AS lower_bounds`;

const LONGEST_FIRST = [...LONG_CONTEXTS].sort((a, b) => b - a);

/**
 * The size of a response's prompt, as far as prices depend on it: the largest limit of the price table that it exceeds,
 * or 0. Unlogged tokens come from many requests of unknown size.
 */
export const PROMPT = `CASE WHEN u.input + u.cached + u.cache_write <= ${Math.min(...LONG_CONTEXTS)} THEN 0
  WHEN u.response LIKE '${UNLOGGED}%' THEN 0${LONGEST_FIRST.map(
    (limit) => ` WHEN u.input + u.cached + u.cache_write > ${limit} THEN ${limit}`,
  ).join('')} ELSE 0 END`;

/** The same for a response in memory. */
export function promptLimit(response: string, { input, cached, cacheWrite }: Usage): number {
  if (response.startsWith(UNLOGGED)) return 0;
  return LONGEST_FIRST.find((limit) => input + cached + cacheWrite > limit) ?? 0;
}

const COST_COUNTS = 'u.input, u.cached, u.cache_write, u.cache_write_hour, u.output, u.tool';

/** What the cost of a response `u` depends on, in the order of the arguments of `response_cost`. */
export const COST_ARGUMENTS = `u.model, ${PROMPT}, ${COST_COUNTS}`;

/** The same for a row `u` of `usage_slots`. */
export const COST_ARGUMENTS_OF_SLOT = `u.model, u.prompt, ${COST_COUNTS}`;

function usageOf(row: SqlRow): Usage {
  return {
    input: int(row.input),
    cached: int(row.cached),
    cacheWrite: int(row.cache_write),
    cacheWriteHour: int(row.cache_write_hour),
    output: int(row.output),
    reasoning: int(row.reasoning),
    tool: int(row.tool),
  };
}

/** Adds up rows of {@link SUMS} by model and {@link PROMPT}; `own` are the prices that a person set. */
export function addUp(rows: readonly SqlRow[], own: PriceTable): TokenTotal {
  let usage = NO_USAGE;
  let responses = 0;
  let lowerBounds = 0;
  let cost = 0;
  let longResponses = 0;
  const unpriced = new Set<string>();
  const models = new Set<string>();
  for (const row of rows) {
    const one = usageOf(row);
    const model = str(row.model) || 'unknown';
    usage = plus(usage, one);
    responses += int(row.responses);
    lowerBounds += int(row.lower_bounds);
    models.add(model);
    const price = priceOf(model, int(row.prompt), own);
    if (price === undefined) unpriced.add(model);
    else {
      cost += costOf(price, one);
      if (price.long) longResponses += int(row.responses);
    }
  }
  return {
    usage,
    total: totalTokens(usage),
    responses,
    lowerBounds,
    cost,
    longResponses,
    unpriced: [...unpriced],
    models: [...models],
  };
}

export function plus(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cached: a.cached + b.cached,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    cacheWriteHour: a.cacheWriteHour + b.cacheWriteHour,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    tool: a.tool + b.tool,
  };
}
