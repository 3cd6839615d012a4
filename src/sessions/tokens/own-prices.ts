import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { notOnTeamServer } from '../team-refusal.ts';
import { modelName, type PriceTable, type Rates } from './prices.ts';

/** The prices that a person set, instead of list prices. */
export interface OwnPrices {
  table(): PriceTable;
}

export interface SetPrices {
  set(model: string, rates: Rates): void;
  /** Goes back to list prices, for one model or all; false if nothing was set. */
  reset(model: string | undefined): boolean;
}

/** Dollars per million tokens. */
export const rate = z.number().min(0).max(1_000_000);

const tableSchema = z.record(z.string(), z.tuple([rate, rate, rate, rate]));

/** The prices in a data folder: `prices.json`, absent until somebody sets one. */
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
    set: (model, rates) => write({ ...table, [modelName(model)]: rates }),
    reset(model) {
      const kept = Object.entries(table).filter(([name]) => model !== undefined && name !== modelName(model));
      const changed = kept.length < Object.keys(table).length;
      if (changed) write(Object.fromEntries(kept));
      return changed;
    },
  };
}

function read(file: string): PriceTable {
  try {
    return tableSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Nothing was set, or the file is damaged: list prices.
    return {};
  }
}

const refuse = () =>
  notOnTeamServer(
    'Setting prices',
    'Its costs are estimated from list prices. Set them on your own machine.',
  );

/** A team server has list prices only: its tables are read by PostgreSQL, which has them stored. */
export const REFUSED_PRICES: OwnPrices & SetPrices = { table: () => ({}), set: refuse, reset: refuse };
