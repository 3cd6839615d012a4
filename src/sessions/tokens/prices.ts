import type { Usage } from '../model/event.ts';

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/**
 * Public list prices, for estimates only: plans, discounts, long-context surcharges and batch prices are not in them.
 * A model has the price of the longest name here that its own name begins with.
 */
export const PRICES_DATE = '2026-11-15';

const PRICES: Readonly<Record<string, Price>> = {
  'claude-opus-5': { input: 4, cached: 0.2, cacheWrite: 5, output: 20 },
  'claude-opus-4-5': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 },
  'claude-opus-4-6': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 },
  'claude-opus-4-7': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 },
  'claude-opus-4-8': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 },
  'claude-opus-4': { input: 15, cached: 1.5, cacheWrite: 18.75, output: 75 },
  'claude-3-opus': { input: 15, cached: 1.5, cacheWrite: 18.75, output: 75 },
  'claude-sonnet': { input: 3, cached: 0.3, cacheWrite: 3.75, output: 15 },
  'claude-3-7-sonnet': { input: 3, cached: 0.3, cacheWrite: 3.75, output: 15 },
  'claude-3-5-sonnet': { input: 3, cached: 0.3, cacheWrite: 3.75, output: 15 },
  'claude-haiku': { input: 1, cached: 0.1, cacheWrite: 1.25, output: 5 },
  'claude-3-5-haiku': { input: 0.8, cached: 0.08, cacheWrite: 1, output: 4 },
  'gpt-5': { input: 1.25, cached: 0.125, cacheWrite: 1.25, output: 10 },
  'gpt-5-mini': { input: 0.25, cached: 0.025, cacheWrite: 0.25, output: 2 },
  'gpt-5-nano': { input: 0.05, cached: 0.005, cacheWrite: 0.05, output: 0.4 },
  'gpt-5.1-codex-mini': { input: 0.25, cached: 0.025, cacheWrite: 0.25, output: 2 },
  'gpt-5.2': { input: 1.75, cached: 0.175, cacheWrite: 1.75, output: 14 },
  o3: { input: 2, cached: 0.5, cacheWrite: 2, output: 8 },
  'o4-mini': { input: 1.1, cached: 0.275, cacheWrite: 1.1, output: 4.4 },
  'gemini-2.5-pro': { input: 1.25, cached: 0.125, cacheWrite: 1.25, output: 10 },
  'gemini-2.5-flash': { input: 0.3, cached: 0.03, cacheWrite: 0.3, output: 2.5 },
  'gemini-2.5-flash-lite': { input: 0.1, cached: 0.01, cacheWrite: 0.1, output: 0.4 },
  'gemini-3-pro': { input: 2, cached: 0.2, cacheWrite: 2, output: 12 },
  'gemini-3-flash': { input: 0.5, cached: 0.05, cacheWrite: 0.5, output: 3 },
};

/** The price of a model, or undefined when the table does not have it. */
export function priceOf(model: string): Price | undefined {
  const name = model.replace(/^(?:anthropic|openai|google|models)[/.]/, '');
  let best: string | undefined;
  for (const known of Object.keys(PRICES)) {
    if (name.startsWith(known) && known.length > (best?.length ?? 0)) best = known;
  }
  return best === undefined ? undefined : PRICES[best];
}

/** Estimated dollars of some tokens, or undefined for a model without a price. */
export function costOf(model: string, usage: Usage): number | undefined {
  const price = priceOf(model);
  if (price === undefined) return undefined;
  const { input, cached, cacheWrite, output, tool } = usage;
  const spent =
    (input + tool) * price.input +
    cached * price.cached +
    cacheWrite * price.cacheWrite +
    output * price.output;
  return spent / 1e6;
}
