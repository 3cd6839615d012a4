import { expect, test } from 'vitest';
import { openSqlite } from '../../store/sqlite.ts';
import { USAGE_COLUMNS } from '../ingest/usage-rows.ts';
import { SESSIONS_SCHEMA } from '../store/sessions-schema.ts';
import { slotsBetween, writeSlots } from './usage-slots.ts';

const QUARTER = 900_000;
const DAY = 86_400_000;

test('the slots of any time have the responses of exactly that time', async () => {
  const db = await openSqlite(':memory:', SESSIONS_SCHEMA);
  // Two sessions, a response every seven minutes; every fifth one belongs to another session.
  const times = Array.from({ length: 60 }, (_, i) => DAY + i * 420_000);
  await db.batch(
    `INSERT INTO usage (${USAGE_COLUMNS}, owned) VALUES (?, ?, 0, 0, 0, ?, 'm', ?, 0, 0, 0, 0, 0, 0, 0, 0, ?)`,
    times.map((ms, i) => [1 + (i % 2), `r${i}`, ms, i + 1, i % 5 === 0 ? 0 : 1]),
  );
  await writeSlots(db);
  const input = async (since: number | undefined, until: number | undefined) => {
    const [sql, ...params] = slotsBetween(since, until);
    return Number((await db.get(`SELECT COALESCE(SUM(u.input), 0) AS n FROM (${sql}) u`, ...params))?.n);
  };
  const expected = (since: number, until: number) =>
    times.reduce((sum, ms, i) => sum + (i % 5 !== 0 && ms >= since && ms <= until ? i + 1 : 0), 0);
  expect(await input(undefined, undefined)).toBe(expected(0, Number.MAX_SAFE_INTEGER));
  const ends = [DAY, DAY + QUARTER, DAY + 5 * QUARTER - 1, DAY + 420_000, DAY + 1_000_001, DAY + 20_000_000];
  for (const since of ends) {
    expect(await input(since, undefined)).toBe(expected(since, Number.MAX_SAFE_INTEGER));
    expect(await input(undefined, since)).toBe(expected(0, since));
    for (const until of ends) expect(await input(since, until)).toBe(expected(since, until));
  }
  await db.close();
});
