import { EVENT_TYPES } from '../../sessions/model/event.ts';
import { FLAG } from '../../sessions/model/event-rows.ts';
import { int } from '../../sessions/store/session-row.ts';
import { indexedTexts } from '../../sessions/store/texts.ts';
import { priceTable } from '../../sessions/tokens/own-prices.ts';
import { LONG_CONTEXTS, type PriceTable, priceOf } from '../../sessions/tokens/prices.ts';
import type { SqlRow } from '../../store/database.ts';
import type { PostgresDatabase } from '../../store/postgres.ts';

/** What the views read in addition to the index: texts of messages that PostgreSQL can read, and prices. */
export const VIEW_TABLES = `
DROP TABLE IF EXISTS event_texts, model_prices CASCADE;
CREATE TABLE event_texts (
  session BIGINT NOT NULL,
  idx BIGINT NOT NULL,
  text TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (session, idx)
) PARTITION BY RANGE (session);
CREATE TABLE model_prices (
  model TEXT COLLATE "C" NOT NULL,
  prompt BIGINT NOT NULL,
  input DOUBLE PRECISION NOT NULL,
  cached DOUBLE PRECISION NOT NULL,
  cache_write DOUBLE PRECISION NOT NULL,
  cache_write_hour DOUBLE PRECISION NOT NULL,
  output DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (model, prompt)
);
`;

const TYPES = (['user', 'message', 'reasoning'] as const).map((type) => EVENT_TYPES.indexOf(type)).join(', ');
/** How many events back a text may be that later turns out to be a prompt. */
const LATER_EVENTS = 200;

/** Stores the texts of messages added to a session. Tool results are only in the packed blocks. */
export async function writeTexts(tx: PostgresDatabase, session: number, again: boolean): Promise<void> {
  if (again) await tx.run('DELETE FROM event_texts WHERE session = ?', session);
  const rows = await tx.own(
    `SELECT e.idx FROM events e WHERE e.session = $1 AND e.type IN (${TYPES}) AND e.flags & ${FLAG.mirror | FLAG.silent} = 0
       AND e.idx > (SELECT COALESCE(MAX(x.idx), -1) FROM event_texts x WHERE x.session = $1) - ${LATER_EVENTS}
       AND NOT EXISTS (SELECT 1 FROM event_texts x WHERE x.session = e.session AND x.idx = e.idx) ORDER BY e.idx`,
    [session],
  );
  const [first, last] = [rows[0]?.idx, rows.at(-1)?.idx];
  if (first === undefined || last === undefined) return;
  const texts = await indexedTexts(tx)({ key: session }, int(first), int(last));
  await tx.batch(
    'INSERT INTO event_texts (session, idx, text) VALUES (?, ?, ?)',
    rows.flatMap(({ idx }) => {
      const text = texts.get(int(idx));
      return text === undefined ? [] : [[session, int(idx), text]];
    }),
  );
}

/** The prices set for the team. */
export async function pricesIn(db: PostgresDatabase): Promise<PriceTable> {
  const [row] = await db.own("SELECT value FROM settings WHERE name = 'prices'");
  return row === undefined ? {} : priceTable.parse(JSON.parse(String(row.value)));
}

/** Stores the prices of a session's models if they are missing. */
export async function writePrices(tx: PostgresDatabase, session: number): Promise<void> {
  const rows = await tx.own(
    `SELECT DISTINCT COALESCE(u.model, 'unknown') AS model FROM usage u WHERE u.session = $1
       AND NOT EXISTS (SELECT 1 FROM model_prices p WHERE p.model = COALESCE(u.model, 'unknown'))`,
    [session],
  );
  await storePrices(tx, rows);
}

/** Stores the prices of all models again. */
export async function writeAllPrices(tx: PostgresDatabase): Promise<void> {
  await tx.own('DELETE FROM model_prices');
  await storePrices(tx, await tx.own("SELECT DISTINCT COALESCE(model, 'unknown') AS model FROM usage_slots"));
}

async function storePrices(tx: PostgresDatabase, rows: readonly SqlRow[]): Promise<void> {
  if (rows.length === 0) return;
  const own = await pricesIn(tx);
  await tx.batch(
    'INSERT OR REPLACE INTO model_prices (model, prompt, input, cached, cache_write, cache_write_hour, output) VALUES (?, ?, ?, ?, ?, ?, ?)',
    rows.flatMap(({ model }) =>
      [0, ...LONG_CONTEXTS].flatMap((prompt) => {
        const price = priceOf(String(model), prompt, own);
        if (price === undefined) return [];
        const { input, cached, cacheWrite, cacheWriteHour, output } = price;
        return [[String(model), prompt, input, cached, cacheWrite, cacheWriteHour, output]];
      }),
    ),
  );
}
