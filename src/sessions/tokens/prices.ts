import type { Usage } from '../model/event.ts';

/** Dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  /** Writing to the cache for an hour. */
  readonly cacheWriteHour: number;
  readonly output: number;
  /** These are the prices for a long prompt. */
  readonly long: boolean;
}

/** Dollars per million tokens: input, cached input, writing to the cache, output. */
export type Rates = readonly [input: number, cached: number, cacheWrite: number, output: number];

/** Rates by model name. */
export type PriceTable = Readonly<Record<string, Rates>>;

/** When the table was made. */
export const PRICES_DATE = '2026-11-15';

/** What an estimate assumes; shown with every answer that has one. */
export const PRICES_ASSUME =
  'one-hour cache at 2 x input, long prompts at 2 x input and 1.5 x output where the model charges that; no plans, no batch, priority or fast prices, no vendor fees for searches';

/**
 * Public list prices in dollars per million tokens: input, cached input, writing to the cache, output. Taken from the
 * price file of the litellm project (as of 2026-08-08), except for models whose cost an agent itself recorded. For
 * estimates only: they do not include plans, discounts, batch and priority prices or the vendor's searches. If a vendor
 * does not charge for writing to the cache, it costs the same as input.
 */
export const LIST_PRICES: PriceTable = {
  // From the cost records of an agent (version 2.1.325).
  'claude-opus-5-5': [4, 0.2, 5, 20],
  'claude-fable-5': [10, 1, 12.5, 50],
  'claude-opus-5': [5, 0.5, 6.25, 25],
  'claude-opus-4-8': [5, 0.5, 6.25, 25],
  'claude-opus-4-7': [5, 0.5, 6.25, 25],
  'claude-opus-4-6': [5, 0.5, 6.25, 25],
  'claude-opus-4-5': [5, 0.5, 6.25, 25],
  'claude-opus-4-1': [15, 1.5, 18.75, 75],
  'claude-opus-4': [15, 1.5, 18.75, 75],
  'claude-sonnet-5': [2, 0.2, 2.5, 10],
  'claude-sonnet-4-6': [3, 0.3, 3.75, 15],
  'claude-sonnet-4-5': [3, 0.3, 3.75, 15],
  'claude-sonnet-4': [3, 0.3, 3.75, 15],
  'claude-haiku-4-5': [1, 0.1, 1.25, 5],
  'claude-3-7-sonnet': [3, 0.3, 3.75, 15],
  'claude-3-5-sonnet': [3, 0.3, 3.75, 15],
  'claude-3-5-haiku': [0.8, 0.08, 1, 4],
  'claude-3-sonnet': [3, 0.3, 3.75, 15],
  'claude-3-opus': [15, 1.5, 18.75, 75],
  'claude-3-haiku': [0.25, 0.03, 0.3, 1.25],
  'gpt-5.6': [5, 0.5, 6.25, 30],
  'gpt-5.6-sol': [5, 0.5, 6.25, 30],
  'gpt-5.6-terra': [2, 0.2, 2.5, 12],
  'gpt-5.6-luna': [0.2, 0.02, 0.25, 1.2],
  'gpt-5.5': [5, 0.5, 5, 30],
  'gpt-5.5-pro': [30, 3, 30, 180],
  'gpt-5.4': [2.5, 0.25, 2.5, 15],
  'gpt-5.4-pro': [30, 3, 30, 180],
  'gpt-5.4-mini': [0.75, 0.075, 0.75, 4.5],
  'gpt-5.4-nano': [0.2, 0.02, 0.2, 1.25],
  'gpt-5.3-codex': [1.75, 0.175, 1.75, 14],
  'gpt-5.2': [1.75, 0.175, 1.75, 14],
  'gpt-5.2-codex': [1.75, 0.175, 1.75, 14],
  'gpt-5.2-pro': [21, 21, 21, 168],
  'gpt-5.1': [1.25, 0.125, 1.25, 10],
  'gpt-5.1-codex': [1.25, 0.125, 1.25, 10],
  'gpt-5.1-codex-max': [1.25, 0.125, 1.25, 10],
  'gpt-5.1-codex-mini': [0.25, 0.025, 0.25, 2],
  'gpt-5': [1.25, 0.125, 1.25, 10],
  'gpt-5-codex': [1.25, 0.125, 1.25, 10],
  'gpt-5-mini': [0.25, 0.025, 0.25, 2],
  'gpt-5-nano': [0.05, 0.005, 0.05, 0.4],
  'gpt-5-pro': [15, 15, 15, 120],
  'gpt-4.1': [2, 0.5, 2, 8],
  'gpt-4.1-mini': [0.4, 0.1, 0.4, 1.6],
  'gpt-4.1-nano': [0.1, 0.025, 0.1, 0.4],
  'gpt-4o': [2.5, 1.25, 2.5, 10],
  'gpt-4o-mini': [0.15, 0.075, 0.15, 0.6],
  o3: [2, 0.5, 2, 8],
  'o3-mini': [1.1, 0.55, 1.1, 4.4],
  'o3-pro': [20, 20, 20, 80],
  'o4-mini': [1.1, 0.275, 1.1, 4.4],
  'codex-mini-latest': [1.5, 0.375, 1.5, 6],
  'gemini-3.6-flash': [1.5, 0.15, 1.5, 7.5],
  'gemini-3.5-flash': [1.5, 0.15, 1.5, 9],
  'gemini-3.5-flash-lite': [0.3, 0.03, 0.3, 2.5],
  'gemini-3.1-pro': [2, 0.2, 2, 12],
  'gemini-3.1-flash-lite': [0.25, 0.025, 0.25, 1.5],
  'gemini-3-pro': [2, 0.2, 2, 12],
  'gemini-3-flash': [0.5, 0.05, 0.5, 3],
  'gemini-2.5-pro': [1.25, 0.125, 1.25, 10],
  'gemini-2.5-flash': [0.3, 0.03, 0.3, 2.5],
  'gemini-2.5-flash-lite': [0.1, 0.01, 0.1, 0.4],
  'gemini-2.0-flash': [0.1, 0.025, 0.1, 0.4],
  'gemini-2.0-flash-lite': [0.075, 0.01875, 0.075, 0.3],
};

/**
 * Prompts with more tokens than this cost twice as much, and their answers half as much again, for the whole request.
 * For other models the length of the prompt does not matter.
 */
const LONG: Readonly<Record<string, number>> = {
  'claude-sonnet-4-5': 200_000,
  'claude-sonnet-4': 200_000,
  'gpt-5.6': 272_000,
  'gpt-5.6-sol': 272_000,
  'gpt-5.6-terra': 272_000,
  'gpt-5.6-luna': 272_000,
  'gpt-5.5': 272_000,
  'gpt-5.5-pro': 272_000,
  'gpt-5.4': 272_000,
  'gpt-5.4-pro': 272_000,
  'gemini-3.1-pro': 200_000,
  'gemini-3-pro': 200_000,
  'gemini-2.5-pro': 200_000,
};
const LONG_INPUT_FACTOR = 2;
const LONG_OUTPUT_FACTOR = 1.5;

/** The prompt lengths above which some model costs more. */
export const LONG_CONTEXTS: ReadonlySet<number> = new Set(Object.values(LONG));

/** Anthropic charges twice the input price for caching for an hour; other vendors do not offer it. */
const HOUR_CACHE_FACTOR = 2;

/** Suffixes that do not make it another model: a date, a revision, the size of the context. */
const SUFFIX = /^(?:-latest|-preview(?:-[\d-]+)?|-exp|-\d{8}|-\d{4}-\d{2}-\d{2}|-\d{3}|-v\d+:\d+|[@:[].*)*$/;

/** The name of a model without its vendor, as in price tables. */
export function modelName(model: string): string {
  return model
    .trim()
    .toLowerCase()
    .replace(/^(?:[a-z]{2}\.)?(?:anthropic|openai|google|models|vertex_ai)[/.]/, '');
}

type PriceEntry = readonly [known: string, rates: Rates];

/** Lookups already made in a table: logs name few models, but thousands of times. */
const lookedUp = new WeakMap<PriceTable, Map<string, PriceEntry | undefined>>();

/** The table entry for a model; if several fit, the one with the longest name. */
function entryOf(table: PriceTable, name: string): PriceEntry | undefined {
  const known = lookedUp.get(table) ?? new Map<string, PriceEntry | undefined>();
  lookedUp.set(table, known);
  if (!known.has(name)) known.set(name, findEntry(table, name));
  return known.get(name);
}

function findEntry(table: PriceTable, name: string): PriceEntry | undefined {
  let best: PriceEntry | undefined;
  for (const entry of Object.entries(table)) {
    const [known] = entry;
    if (known.length <= (best?.[0].length ?? 0) || !name.startsWith(known)) continue;
    if (SUFFIX.test(name.slice(known.length))) best = entry;
  }
  return best;
}

/** The name that the price of a model is listed under, in the person's own prices or else in the list prices. */
export function pricedAs(model: string, own: PriceTable): string | undefined {
  const name = modelName(model);
  return (entryOf(own, name) ?? entryOf(LIST_PRICES, name))?.[0];
}

/**
 * The price of a model for a prompt of more than `promptOver` tokens, or undefined for a model in neither table: a
 * similar name would be a wrong guess. The person's own prices come first; the surcharge for long prompts stays that
 * of the model.
 */
export function priceOf(model: string, promptOver = 0, own: PriceTable = {}): Price | undefined {
  const name = modelName(model);
  const listed = entryOf(LIST_PRICES, name);
  const rates = (entryOf(own, name) ?? listed)?.[1];
  if (rates === undefined) return undefined;
  const [input, cached, cacheWrite, output] = rates;
  const long = promptOver >= (LONG[listed?.[0] ?? ''] ?? Number.POSITIVE_INFINITY);
  const more = long ? LONG_INPUT_FACTOR : 1;
  return {
    input: input * more,
    cached: cached * more,
    cacheWrite: cacheWrite * more,
    cacheWriteHour: input * more * HOUR_CACHE_FACTOR,
    output: output * (long ? LONG_OUTPUT_FACTOR : 1),
    long,
  };
}

/** The estimated cost in dollars. */
export function costOf(price: Price, usage: Usage): number {
  const { input, cached, cacheWrite, cacheWriteHour, output, tool } = usage;
  const spent =
    (input + tool) * price.input +
    cached * price.cached +
    (cacheWrite - cacheWriteHour) * price.cacheWrite +
    cacheWriteHour * price.cacheWriteHour +
    output * price.output;
  return spent / 1e6;
}
