import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openApp } from '../../src/app/open-app.ts';
import { DAY_MS } from '../../src/contract/time.ts';
import { PROVIDERS } from '../../src/sessions/providers/index.ts';
import { logFolders } from '../../src/sessions/providers/log-files.ts';
import type { PostgresDatabase } from '../../src/store/postgres.ts';
import { openPositions } from '../../src/team/collect-positions.ts';
import { createCollector } from '../../src/team/collector.ts';
import { receiveLog } from '../../src/team/receive-log.ts';
import { openTeamStore } from '../../src/team/team-store.ts';
import { caller, temporaryFolder } from '../support.ts';
import { messageOf, recordsOf } from './messages.ts';
import { type SharedPostgres, sharedPostgres } from './postgres.ts';

/* What goes wrong: a refusal with its reason, or an error that passes; nothing lost, nothing doubled. */

let pg: SharedPostgres;
const log = () => {};
beforeAll(async () => {
  pg = await sharedPostgres();
});

const now = Date.UTC(2026, 10, 16);
const receive = (db: PostgresDatabase, part: Parameters<typeof messageOf>[0]) =>
  receiveLog(db, messageOf(part), PROVIDERS, now);
const countIn = async (db: PostgresDatabase, table: string) =>
  Number((await db.own(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n);

/** The connections that a database has are ended, as by its administrator. */
async function disconnect(db: PostgresDatabase): Promise<void> {
  await db.own(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
}

test('a database that becomes read-only is waited for, and refused at start', async () => {
  const url = await pg.database();
  const name = new URL(url).pathname.slice(1);
  const db = await openTeamStore(url, { log, connections: 1 });
  const [first, second, third] = recordsOf(3);
  await receive(db, { records: [first] });
  await db.own(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await db.own('SET default_transaction_read_only = on');
  await expect(receive(db, { from: second.at, records: [second] })).rejects.toMatchObject({
    code: 'unavailable',
    retryable: true,
    message: expect.stringContaining('it is read-only'),
  });
  await expect(openTeamStore(url, { log })).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  await db.own('SET default_transaction_read_only = off');
  await db.own(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  expect(await receive(db, { from: second.at, records: [second, third] })).toMatchObject({ added: 2 });
  expect([await countIn(db, 'lines'), await countIn(db, 'events')]).toEqual([3, 3]);
  await db.close();
});

test('a full disk is waited for, and what was written halfway is taken back', async () => {
  const db = await openTeamStore(await pg.database(), { log });
  const [first, second, third] = recordsOf(3);
  await receive(db, { records: [first] });
  // A write that fails as on a full disk, late in the transaction.
  await db.own(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON event_texts FOR EACH ROW EXECUTE FUNCTION full_disk()`);
  await expect(receive(db, { from: second.at, records: [second] })).rejects.toMatchObject({
    code: 'unavailable',
    retryable: true,
    message: expect.stringContaining('its disk is full'),
  });
  expect([await countIn(db, 'lines'), await countIn(db, 'events')]).toEqual([1, 1]);
  await db.own('DROP TRIGGER full_disk ON event_texts');
  expect(await receive(db, { from: second.at, records: [second, third] })).toMatchObject({ added: 2 });
  expect([await countIn(db, 'lines'), await countIn(db, 'events'), await countIn(db, 'event_texts')]).toEqual(
    [3, 3, 3],
  );
  await db.close();
});

test('a connection that is lost in the middle takes everything back', async () => {
  const url = await pg.database();
  const db = await openTeamStore(url, { log });
  const other = await openTeamStore(url, { log, connections: 1 });
  const records = recordsOf(3);
  // The writer waits for a lock, and loses its connection there.
  const lock = other.transaction(async () => {
    const lost = receive(db, { records }).catch((error: unknown) => error);
    await expect
      .poll(async () =>
        Number(
          (
            await db.own(
              "SELECT COUNT(*) AS n FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()",
            )
          )[0]?.n,
        ),
      )
      .toBe(1);
    await db.own(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()",
    );
    return lost;
  });
  expect(await lock).toMatchObject({ code: 'unavailable', retryable: true });
  expect(await countIn(other, 'lines')).toBe(0);
  expect(await receive(db, { records })).toMatchObject({ added: 3 });
  await disconnect(other);
  await expect.poll(() => countIn(db, 'lines').catch(() => -1)).toBe(3);
  await db.close();
  await other.close();
});

test('the clock of a collector changes neither the month nor the age of its logs', async () => {
  const db = await openTeamStore(await pg.database(), { log });
  const records = recordsOf(2).map((record) => ({
    ...record,
    text: record.text.replace(/2026-11-01T/, '2026-11-17T'),
  }));
  const message = { ...messageOf({ records: recordsOf(2) }), records, now: now + DAY_MS };
  await receiveLog(db, { ...message, to: messageOf({ records }).to }, PROVIDERS, now);
  expect(await db.get('SELECT clock_ms, seen_ms FROM machines')).toEqual({ clock_ms: DAY_MS, seen_ms: now });
  expect(await db.get('SELECT received_ms FROM logs')).toEqual({ received_ms: now });
  const [month] = await db.own(
    "SELECT id / 1000000000 AS month, to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')::bigint AS current FROM logs",
  );
  expect(month?.month).toBe(month?.current);
  await db.close();
});

test('the same log from two collectors is one session', async () => {
  const url = await pg.database();
  const app = await openApp({
    home: temporaryFolder(),
    env: { HOME: temporaryFolder(), PINHOLE_DATABASE_URL: url },
    log,
    baseUrl: () => '',
  });
  const team = app.services.team;
  const records = recordsOf(4);
  const message = messageOf({ records });
  await team?.receive(message);
  // A second collector with the same machine, and another machine that has the same folder.
  expect(await team?.receive({ ...message, log: { ...message.log, run: 'run-0002' } })).toMatchObject({
    added: 4,
  });
  expect(await team?.receive(messageOf({ records: [], from: message.to }))).toMatchObject({
    run: 'run-0002',
    added: 0,
  });
  await team?.receive({ ...message, machine: { id: 'machine-0002', name: 'desk' } });
  const { rendered } = await app.engine.run('list_sessions', {}, { caller: caller() });
  expect(JSON.parse(rendered.text).data.sessions.length).toBe(1);
  const sql = async (query: string) =>
    JSON.parse((await app.engine.run('sql', { query }, { caller: caller() })).rendered.text).data.rows;
  expect(await sql('SELECT turns, machine, person FROM sessions')).toEqual([[4, 'laptop', 'ann']]);
  expect(await sql('SELECT count(*) FROM turns')).toEqual([[4]]);
  await app.close();
});

test.each([
  ['ends before its records', { records: recordsOf(3), to: 5 }],
  ['has records before its beginning', { from: 300, records: recordsOf(3), to: 9_000 }],
  [
    'has records that overlap',
    { records: recordsOf(3).map((record, at) => ({ ...record, at: at * 2 })), to: 9_000 },
  ],
] as const)('a message that %s is refused', async (_, part) => {
  const db = await openTeamStore(await pg.database(), { log });
  await expect(receive(db, part)).rejects.toMatchObject({ code: 'invalid_parameter' });
  expect([await countIn(db, 'logs'), await countIn(db, 'lines')]).toEqual([0, 0]);
  await db.close();
});

test('a collector that lies about its position gets the one that the server has', async () => {
  const db = await openTeamStore(await pg.database(), { log });
  const records = recordsOf(3);
  const [first, second] = records;
  await receive(db, { records: [first] });
  for (const from of [1, second.at - 1, second.at + 1, 2 ** 52])
    expect(await receive(db, { from, records: [], to: from })).toMatchObject({
      consumed: second.at,
      added: 0,
    });
  // Far ahead: what is left out cannot come later, and the rest is taken once.
  expect(await receive(db, { from: second.at, records: [], to: second.at + 5_000 })).toMatchObject({
    added: 0,
  });
  expect(await receive(db, { from: second.at, records: [second] })).toMatchObject({
    added: 0,
    consumed: second.at + 5_000,
  });
  expect([await countIn(db, 'lines'), await countIn(db, 'events')]).toEqual([1, 1]);
  await db.close();
});

/** `npm run test:team` takes 2 GB. */
const LONG_LOG = Number(process.env.PINHOLE_TEAM_LOG_BYTES ?? 2 ** 27);

test(`a log of ${LONG_LOG} bytes is sent in parts, and what is too long is cut`, async () => {
  const home = temporaryFolder();
  const folder = join(home, '.claude/projects/-home-ann-api');
  mkdirSync(folder, { recursive: true });
  const id = '5e55a001-0000-4000-8000-000000000001';
  const file = join(folder, `${id}.jsonl`);
  const lines = recordsOf(4).map(({ text }) => `${text}\n`);
  writeFileSync(file, lines.slice(0, 2).join(''));
  // A hole: one line that takes no space.
  const handle = openSync(file, 'r+');
  ftruncateSync(handle, LONG_LOG);
  writeSync(handle, `\n${lines[2]}${lines[3]}`, LONG_LOG);
  closeSync(handle);
  const db = await openTeamStore(await pg.database(), { log });
  const positions = await openPositions(join(home, 'collect.db'), 'server');
  let largest = 0;
  const collector = createCollector({
    providers: PROVIDERS,
    folders: logFolders(PROVIDERS, { HOME: home }),
    positions,
    sender: { machine: { id: positions.machine, name: 'laptop' }, person: 'ann', version: '0' },
    send: (message) => {
      largest = Math.max(largest, JSON.stringify(message).length);
      return receiveLog(db, message, PROVIDERS, now);
    },
    log: (line) => {
      throw new Error(line);
    },
  });
  const before = process.memoryUsage().rss;
  expect(await collector.all()).toEqual({ logs: 1, records: 5, failed: 0 });
  expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
  expect(largest).toBeLessThan(2_000_000);
  expect(await db.get('SELECT turns FROM sessions')).toEqual({ turns: 4 });
  expect(await db.get('SELECT COUNT(*) AS n, SUM(too_long) AS cut FROM lines')).toEqual({ n: 5, cut: 1 });
  expect(await collector.all()).toEqual({ logs: 0, records: 0, failed: 0 });
  await positions.close();
  await db.close();
});

test('three checkouts on two machines are one project, with the name of its remote', async () => {
  const url = await pg.database();
  const app = await openApp({
    home: temporaryFolder(),
    env: { HOME: temporaryFolder(), PINHOLE_DATABASE_URL: url },
    log,
    baseUrl: () => '',
  });
  const addresses = [
    'git@example.com:acme/api.git',
    'https://token@example.com/acme/api',
    'ssh://git@example.com:22/acme/api.git',
  ];
  for (const [at, address] of addresses.entries()) {
    const home = temporaryFolder();
    const checkout = join(home, `checkout-${at}`);
    mkdirSync(checkout);
    execFileSync('git', ['init', '-q'], { cwd: checkout });
    execFileSync('git', ['remote', 'add', 'origin', address], { cwd: checkout });
    const id = `5e55a00${at}-0000-4000-8000-000000000001`;
    const folder = join(home, '.claude/projects/-checkout');
    mkdirSync(folder, { recursive: true });
    const lines = recordsOf(2).map(({ text }) =>
      text.replace('5e55a001-0000-4000-8000-000000000001', id).replace('/home/ann/api', checkout),
    );
    writeFileSync(join(folder, `${id}.jsonl`), `${lines.join('\n')}\n`);
    const positions = await openPositions(join(home, 'collect.db'), 'server');
    const collector = createCollector({
      providers: PROVIDERS,
      folders: logFolders(PROVIDERS, { HOME: home }),
      positions,
      sender: {
        machine: { id: positions.machine, name: at === 0 ? 'laptop' : 'desk' },
        person: at === 0 ? 'ann' : 'bob',
        version: '0',
      },
      send: async (message) => app.services.team?.receive(message) ?? Promise.reject(new Error('no team')),
      log,
    });
    expect(await collector.all()).toMatchObject({ records: 2 });
    await positions.close();
  }
  const ask = async (operation: string, input: Readonly<Record<string, unknown>>) =>
    JSON.parse((await app.engine.run(operation, input, { caller: caller() })).rendered.text).data;
  expect(
    (
      await ask('sql', {
        query: 'SELECT project, machine, person, count(*) AS n FROM sessions GROUP BY 1, 2, 3 ORDER BY n',
      })
    ).rows,
  ).toEqual([
    ['example.com/acme/api', 'laptop', 'ann', 1],
    ['example.com/acme/api', 'desk', 'bob', 2],
  ]);
  expect(
    (await ask('list_sessions', { project: 'example.com/acme/api', person: 'bob' })).sessions.length,
  ).toBe(2);
  expect((await ask('search_event_previews', { query: 'prompt', machine: 'laptop' })).matches.length).toBe(2);
  await app.close();
});
