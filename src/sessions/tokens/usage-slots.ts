import type { Database, SqlValue } from '../../store/database.ts';
import type { TokenRow } from '../ingest/token-rows.ts';
import type { Usage } from '../model/event.ts';
import { PROMPT, plus, promptLimit, SUMS } from './token-total.ts';

/** Responses are added up per quarter of an hour before grouping: no day of any time zone begins within one. */
const SLOT_MS = 900_000;

/** Further from 1970 than any real time. */
const EVER_MS = SLOT_MS * 2 ** 33;

const SLOTS = `SELECT u.session, u.ms / ${SLOT_MS} * ${SLOT_MS} AS ms, u.model, ${PROMPT} AS prompt, ${SUMS} FROM usage u`;

/** {@link SUMS} over rows of the table `usage_slots`. */
export const SUMS_OF_SLOTS = SUMS.replace('COUNT(*)', 'SUM(u.responses)').replace(
  'u.lower_bound)',
  'u.lower_bounds)',
);

const COLUMNS = `session, ms, model, prompt, input, cached, cache_write, cache_write_hour, output, reasoning, tool,
  responses, lower_bounds`;

/**
 * Adds up the responses that sessions own and writes the sums to `usage_slots`, so that totals over all sessions read a
 * few thousand rows instead of every response. The table must no longer have rows of these sessions.
 */
export async function writeSlots(
  tx: Database,
  where = 'TRUE',
  ...params: readonly SqlValue[]
): Promise<void> {
  await tx.run(
    `INSERT INTO usage_slots (${COLUMNS}) ${SLOTS} WHERE u.owned = 1 AND ${where} GROUP BY 1, 2, 3, 4`,
    ...params,
  );
}

/** Adds up responses in memory, into the same rows that {@link writeSlots} makes from a table. */
export function slotSums() {
  interface Slot {
    readonly key: readonly [session: number, ms: number, model: string | null, prompt: number];
    usage: Usage;
    responses: number;
    lowerBounds: number;
  }
  const slots = new Map<string, Slot>();
  return {
    add(session: number, [response, at, model, usage, lowerBound]: TokenRow): void {
      const ms = Math.trunc(at / SLOT_MS) * SLOT_MS;
      const prompt = promptLimit(response, usage);
      const name = `${session} ${ms} ${prompt} ${model}`;
      const slot = slots.get(name);
      const bound = lowerBound ? 1 : 0;
      if (slot === undefined) {
        const key = [session, ms, model ?? null, prompt] as const;
        slots.set(name, { key, usage, responses: 1, lowerBounds: bound });
      } else {
        slot.usage = plus(slot.usage, usage);
        slot.responses++;
        slot.lowerBounds += bound;
      }
    },
    *rows(): Generator<readonly SqlValue[]> {
      for (const { key, usage, responses, lowerBounds } of slots.values())
        yield [
          ...key,
          ...[usage.input, usage.cached, usage.cacheWrite, usage.cacheWriteHour, usage.output],
          ...[usage.reasoning, usage.tool, responses, lowerBounds],
        ];
    },
  };
}

/** Writes rows of {@link slotSums}. */
export async function insertSlots(tx: Database, rows: Iterable<readonly SqlValue[]>): Promise<void> {
  await tx.batch(`INSERT INTO usage_slots (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, rows);
}

/** Whether this range begins or ends within a slot. */
export function cutsSlots(sinceMs = 0, untilMs = -1): boolean {
  return sinceMs % SLOT_MS !== 0 || (untilMs + 1) % SLOT_MS !== 0;
}

/**
 * A query for the rows of `usage_slots` with the responses from `sinceMs` to `untilMs`. Slots that are only partly in
 * the range are added up from their responses.
 */
export function slotsBetween(
  sinceMs = -EVER_MS,
  untilMs = EVER_MS - 1,
): readonly [sql: string, ...params: SqlValue[]] {
  const first = Math.ceil(sinceMs / SLOT_MS) * SLOT_MS;
  const end = Math.floor((untilMs + 1) / SLOT_MS) * SLOT_MS;
  const whole = 'SELECT * FROM usage_slots WHERE ms >= ? AND ms < ?';
  if (first === sinceMs && end === untilMs + 1) return [whole, first, end];
  const parts = `${SLOTS} WHERE u.owned = 1 AND u.ms BETWEEN ? AND ? AND (u.ms < ? OR u.ms >= ?)
    AND u.session IN (SELECT session FROM usage_slots WHERE ms IN (?, ?)) GROUP BY 1, 2, 3, 4`;
  return [`${whole} UNION ALL ${parts}`, ...[first, end, sinceMs, untilMs, first, end, first - SLOT_MS, end]];
}
