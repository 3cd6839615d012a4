import { beforeAll, expect, test } from 'vitest';
import { PROVIDERS } from '../../src/sessions/providers/index.ts';
import { receiveLog } from '../../src/team/receive-log.ts';
import { TEAM_SCHEMA } from '../../src/team/team-schema.ts';
import { openTeamStore } from '../../src/team/team-store.ts';
import { messageOf, recordsOf } from './messages.ts';
import { type SharedPostgres, sharedPostgres } from './postgres.ts';

let pg: SharedPostgres;
const log = () => {};

beforeAll(async () => {
  pg = await sharedPostgres();
});

const NOW = Date.UTC(2026, 10, 16);

test('a message that is sent twice, too late, or out of order adds nothing', async () => {
  const db = await openTeamStore(await pg.database(), { log });
  const [first, second, third] = recordsOf(3);
  const send = (part: Parameters<typeof messageOf>[0]) => receiveLog(db, messageOf(part), PROVIDERS, NOW);
  expect(await send({ records: [first, second] })).toEqual({
    run: 'run-0001',
    consumed: second.at + second.length,
    added: 2,
  });
  // The answer was lost: the same again.
  expect(await send({ records: [first, second] })).toMatchObject({ consumed: third.at, added: 0 });
  // A collector that is ahead, and one with another run that does not begin at the beginning.
  expect(await send({ from: third.at + 5, records: [], to: third.at + 5 })).toMatchObject({
    consumed: third.at,
    added: 0,
  });
  expect(await send({ run: 'run-0002', from: third.at, records: [third] })).toMatchObject({
    run: 'run-0001',
    consumed: 0,
    added: 0,
  });
  expect(await send({ from: third.at, records: [third] })).toMatchObject({ added: 1 });
  expect((await db.get('SELECT COUNT(*) AS n FROM lines'))?.n).toBe(3);
  expect(await db.get('SELECT events, turns, machine, person, project_path FROM sessions')).toEqual({
    events: 3,
    turns: 3,
    machine: 'laptop',
    person: 'ann',
    project_path: 'example.com/acme/api',
  });
  await expect(send({ run: 'run-0003', records: [second, first], to: third.at })).rejects.toThrow(
    'begins before',
  );
  await db.close();
});

test('a rewritten log replaces what was sent of it', async () => {
  const db = await openTeamStore(await pg.database(), { log });
  const records = recordsOf(4);
  await receiveLog(db, messageOf({ records }), PROVIDERS, NOW);
  const before = await db.get('SELECT key FROM sessions');
  await receiveLog(db, messageOf({ run: 'run-0002', records: records.slice(0, 2) }), PROVIDERS, NOW);
  expect(await db.get('SELECT key, events FROM sessions')).toEqual({ key: before?.key, events: 2 });
  expect((await db.get('SELECT COUNT(*) AS n FROM events'))?.n).toBe(2);
  expect((await db.get('SELECT COUNT(*) AS n FROM lines'))?.n).toBe(2);
  await db.close();
});

test('an older schema is brought up to date, and a newer one refused', async () => {
  const url = await pg.database();
  const old = await openTeamStore(url, { log, steps: TEAM_SCHEMA.slice(0, 1) });
  await receiveLog(old, messageOf({ records: recordsOf(2) }), PROVIDERS, NOW);
  await old.close();
  const db = await openTeamStore(url, { log });
  expect((await db.own('SELECT id FROM schema_steps ORDER BY id')).map(({ id }) => id)).toEqual([
    ...TEAM_SCHEMA.map(({ id: step }) => step),
  ]);
  expect((await db.get('SELECT COUNT(*) AS n FROM lines'))?.n).toBe(2);
  await db.own("INSERT INTO schema_steps VALUES (99, 'later')");
  await db.close();
  await expect(openTeamStore(url, { log })).rejects.toThrow(
    /newer Pinhole \(schema step 99; this Pinhole knows \d+\)/,
  );
});
