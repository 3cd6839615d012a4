import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { modelName, type PriceTable, type Rates } from './prices.ts';

/** Prices that a person set in place of list prices. */
export interface OwnPrices {
  table(): PriceTable;
}

export interface SetPrices {
  set(model: string, rates: Rates): Promise<void>;
  /** Goes back to list prices, for one model or all; false if nothing was set. */
  reset(model: string | undefined): Promise<boolean>;
}

/** Dollars per million tokens. */
export const rate = z.number().min(0).max(1_000_000);

export const priceTable = z.record(z.string(), z.tuple([rate, rate, rate, rate]));

/** The prices in a data folder: `prices.json`, absent until one is set. */
export function ownPrices(home: string): OwnPrices & SetPrices {
  const file = join(home, 'prices.json');
  let table = read(file);
  const write = (next: PriceTable) => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
    table = next;
  };
  return {
    table: () => table,
    set: async (model, rates) => write({ ...table, [modelName(model)]: rates }),
    async reset(model) {
      const kept = Object.entries(table).filter(([name]) => model !== undefined && name !== modelName(model));
      const changed = kept.length < Object.keys(table).length;
      if (changed) write(Object.fromEntries(kept));
      return changed;
    },
  };
}

function read(file: string): PriceTable {
  try {
    return priceTable.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Nothing was set, or the file is damaged: list prices.
    return {};
  }
}
