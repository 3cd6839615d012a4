import { errorText } from '../contract/errors.ts';
import type { OwnPrices, SetPrices } from '../sessions/tokens/own-prices.ts';
import { modelName, type PriceTable } from '../sessions/tokens/prices.ts';
import type { PostgresDatabase } from '../store/postgres.ts';
import { pricesIn, writeAllPrices } from './query/index-texts.ts';
import { CHANGED, PRICES_CHANGED } from './receive-log.ts';

/** Prices older than this are read again when used, because a notification can be missed. */
const OLD_MS = 60_000;

export interface TeamPrices extends OwnPrices, SetPrices {
  /** Must be called when another node set a price. */
  reload(): Promise<void>;
}

/** The prices set for a team, the same on every node; `sql` reads what is derived from them. */
export async function teamPrices(
  db: PostgresDatabase,
  { now, log }: { readonly now: () => number; readonly log: (line: string) => void },
): Promise<TeamPrices> {
  let table = await pricesIn(db);
  let readAt = now();

  async function reload(): Promise<void> {
    readAt = now();
    table = await pricesIn(db);
  }

  /** Changes the table in the database, together with what PostgreSQL computes costs from. */
  async function change(make: (before: PriceTable) => PriceTable): Promise<boolean> {
    const changed = await db.transaction(async (tx) => {
      const before = await pricesIn(tx);
      const next = make(before);
      if (next === before) return false;
      await tx.own(
        "INSERT INTO settings (name, value) VALUES ('prices', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [JSON.stringify(next)],
      );
      await writeAllPrices(tx);
      await tx.own('SELECT pg_notify($1, $2)', [CHANGED, PRICES_CHANGED]);
      return true;
    });
    await reload();
    return changed;
  }

  return {
    reload,
    table() {
      if (now() - readAt > OLD_MS) reload().catch((error: unknown) => log(`prices: ${errorText(error)}`));
      return table;
    },
    set: async (model, rates) => {
      await change((before) => ({ ...before, [modelName(model)]: rates }));
    },
    reset: (model) =>
      change((before) => {
        const kept = Object.entries(before).filter(
          ([name]) => model !== undefined && name !== modelName(model),
        );
        return kept.length < Object.keys(before).length ? Object.fromEntries(kept) : before;
      }),
  };
}
