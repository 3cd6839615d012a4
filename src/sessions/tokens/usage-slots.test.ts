import { expect, test } from 'vitest';
import { openSqlite } from '../../store/sqlite.ts';
import { USAGE_COLUMNS, usageValues } from '../ingest/usage-rows.ts';
import { SESSIONS_SCHEMA } from '../store/sessions-schema.ts';
import { cutsSlots, insertSlots, slotSums, slotsBetween, writeSlots } from './usage-slots.ts';

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

test('sums in memory are those of the table', async () => {
  const db = await openSqlite(':memory:', SESSIONS_SCHEMA);
  const usage = {
    input: 150_000,
    cached: 60_000,
    cacheWrite: 3,
    cacheWriteHour: 2,
    output: 5,
    reasoning: 4,
    tool: 1,
  };
  const slots = slotSums();
  const rows = Array.from({ length: 90 }, (_, i) => {
    const model = i % 4 === 0 ? undefined : `m${i % 3}`;
    const one = { ...usage, input: i % 5 === 0 ? 12 : i % 7 === 0 ? 280_000 : usage.input + i };
    const row = {
      response: `r${i}`,
      ms: DAY + i * 61_000,
      model,
      usage: one,
      lowerBound: i % 6 === 0,
      relayed: false,
    };
    slots.add(1 + (i % 2), [row.response, row.ms, row.model, row.usage, row.lowerBound, row.relayed]);
    return [...usageValues(1 + (i % 2), { ...row, event: 0, turn: 0, step: 0 }), 1];
  });
  const marks = Array.from({ length: 17 }, () => '?').join(', ');
  await db.batch(`INSERT INTO usage (${USAGE_COLUMNS}, owned) VALUES (${marks})`, rows);
  await writeSlots(db);
  const all = 'SELECT * FROM usage_slots ORDER BY session, ms, model, prompt';
  const ofTable = await db.all(all);
  await db.run('DELETE FROM usage_slots');
  await insertSlots(db, slots.rows());
  expect(await db.all(all)).toEqual(ofTable);
  expect(new Set(ofTable.map(({ prompt }) => prompt))).toEqual(new Set([0, 200_000, 272_000]));
  await db.close();
});

test('a question about whole quarters of an hour needs no single response', () => {
  expect(cutsSlots(undefined, undefined)).toBe(false);
  expect(cutsSlots(DAY, DAY + QUARTER - 1)).toBe(false);
  expect(cutsSlots(DAY + 1, undefined)).toBe(true);
  expect(cutsSlots(undefined, DAY)).toBe(true);
});
