import type { SqlValue } from '../../store/sql-table.ts';
import { costOf, type Price, type PriceTable, priceOf } from './prices.ts';

/** An SQL function of COST_ARGUMENTS: the estimated cost of a response in dollars, or null without a price. */
export function responseCost(own: PriceTable): (...values: SqlValue[]) => SqlValue {
  const prices = new Map<string, Price | undefined>();
  return (model, prompt, ...counts) => {
    const key = `${model} ${prompt}`;
    if (!prices.has(key)) prices.set(key, priceOf(String(model ?? 'unknown'), Number(prompt), own));
    const price = prices.get(key);
    if (price === undefined) return null;
    const [input = 0, cached = 0, cacheWrite = 0, cacheWriteHour = 0, output = 0, tool = 0] =
      counts.map(Number);
    return costOf(price, { input, cached, cacheWrite, cacheWriteHour, output, reasoning: 0, tool });
  };
}
