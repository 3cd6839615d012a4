import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { openApp } from '../../src/app/open-app.ts';
import { DAY_MS } from '../../src/contract/time.ts';
import { PROVIDERS } from '../../src/sessions/providers/index.ts';
import { receiveLog } from '../../src/team/receive-log.ts';
import { deleteExpired, expired, setRetention } from '../../src/team/team-retention.ts';
import { openTeamStore } from '../../src/team/team-store.ts';
import { CLIENT_LOGS, placeLog } from '../fixtures/client-logs/fixtures.ts';
import { MAIN } from '../processes.ts';
import { temporaryFolder } from '../support.ts';
import { messageOf, recordsOf } from './messages.ts';
import { installedPostgres, type SharedPostgres, sharedPostgres, startPostgres } from './postgres.ts';

/* Moving to a team server, deleting what is old, and copies of the database. */

let pg: SharedPostgres;
const log = () => {};
beforeAll(async () => {
  pg = await sharedPostgres();
});

function pinhole(words: readonly string[], home: string) {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { PATH: process.env.PATH, HOME: home, PINHOLE_HOME: join(home, 'data'), PINHOLE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const ended = once(child, 'exit').then(([code]) => ({ code, said }));
  return { child, ended };
}

const LOGS = 40;

test('a migration that is killed goes on where it was, and both databases are the same', async () => {
  const home = temporaryFolder();
  for (const one of CLIENT_LOGS) placeLog(one, home);
  const folder = join(home, '.claude/projects/-home-ann-api');
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < LOGS; at++) {
    const id = `5e55b0${String(at).padStart(2, '0')}-0000-4000-8000-000000000001`;
    const lines = recordsOf(60).map(({ text }) => text.replace('5e55a001-0000-4000-8000-000000000001', id));
    appendFileSync(join(folder, `${id}.jsonl`), `${lines.join('\n')}\n`);
  }
  const here = await openApp({ home: join(home, 'data'), env: { HOME: home }, log, baseUrl: () => '' });
  await here.services.sessions.reading.refresh();
  const { sessions } = await here.services.sessions.reading.health();
  await here.close();
  const url = await pg.database();
  const db = await openTeamStore(url, { log });
  const count = async (table: string) => Number((await db.own(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n);
  const { child, ended } = pinhole(['migrate', '--to', url, '--person', 'ann'], home);
  while ((await count('logs')) < 3 && child.exitCode === null) await sleep(5);
  child.kill('SIGKILL');
  await ended;
  const before = await count('logs');
  expect(before).toBeLessThan(sessions);
  const again = await pinhole(['migrate', '--to', url, '--person', 'ann'], home).ended;
  expect(again.said).toContain(`${sessions} sessions are the same in both databases.`);
  expect(again.code).toBe(0);
  const [lines, events] = [await count('lines'), await count('events')];
  const third = await pinhole(['migrate', '--to', url, '--person', 'ann'], home).ended;
  expect(third.said).toMatch(/^Moved 0 records of 0 logs\.\n/);
  expect([await count('lines'), await count('events')]).toEqual([lines, events]);
  // What does not fit is found.
  await db.own(
    "UPDATE events SET name = 'forged' WHERE session = (SELECT MIN(session) FROM events) AND idx = 0",
  );
  const forged = await pinhole(['migrate', '--to', url, '--person', 'ann'], home).ended;
  expect(forged.code).toBe(1);
  expect(forged.said).toContain('Different: ');
  await db.close();
});

test('retention deletes by age and project, and nothing is sent again', async () => {
  const db = await openTeamStore(await pg.database(), { log });
  const now = Date.UTC(2026, 10, 16);
  const send = (project: string, at: number, part: Parameters<typeof messageOf>[0]) => {
    const message = messageOf(part);
    const id =
      project === 'web' ? '0e55a002-0000-4000-8000-000000000002' : '5e55a001-0000-4000-8000-000000000001';
    const records = message.records.map((record) => ({
      ...record,
      text: record.text.replace('5e55a001-0000-4000-8000-000000000001', id),
    }));
    const named = {
      ...message.log,
      path: `/${project}.jsonl`,
      place: { id },
      project: `example.com/acme/${project}`,
    };
    return receiveLog(db, { ...message, log: named, records }, PROVIDERS, at);
  };
  const records = recordsOf(5);
  const first = records.slice(0, 4);
  await send('web', now - 50 * DAY_MS, { records: first });
  await send('api', now - 50 * DAY_MS, { records: first });
  expect(await expired(db, now)).toEqual({ logs: 0, records: 0 });
  await setRetention(db, '*', 90);
  await setRetention(db, 'example.com/acme/web', 30);
  expect(await expired(db, now)).toEqual({ logs: 1, records: 4 });
  const signal = new AbortController().signal;
  expect(await deleteExpired(db, now, signal)).toEqual({ logs: 1, records: 4 });
  expect(await deleteExpired(db, now, signal)).toEqual({ logs: 0, records: 0 });
  for (const table of ['sessions', 'logs'])
    expect((await db.own(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n).toBe(table === 'logs' ? 2 : 1);
  for (const table of ['lines', 'events', 'event_texts', 'turns', 'blocks'])
    expect((await db.own(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n).toBe(table === 'blocks' ? 1 : 4);
  // The collector continues where it was; what is new is a session of its own.
  const last = records.slice(4);
  expect(await send('web', now, { from: last[0]?.at ?? 0, records: last })).toMatchObject({ added: 1 });
  expect(await db.get("SELECT events FROM sessions WHERE project_path = 'example.com/acme/web'")).toEqual({
    events: 1,
  });
  await db.close();
});

test('events and lines are in the partition of the month in which their log arrived', async () => {
  const db = await openTeamStore(await pg.database(), { log });
  await receiveLog(db, messageOf({ records: recordsOf(3) }), PROVIDERS, Date.now());
  const month = new Date().toISOString().slice(0, 7).replace('-', '');
  for (const table of ['lines', 'events', 'event_texts'])
    expect((await db.own(`SELECT COUNT(*) AS n FROM ${table}_${month}`))[0]?.n).toBe(3);
  await db.close();
});

/* Needs pg_dump, which the package has not. */
const bin = installedPostgres();
test.skipIf(bin === undefined)('a copy by pg_dump is restored into another database', async () => {
  const own = await startPostgres([], bin);
  try {
    const [url, other] = [await own.database(), await own.database()];
    const db = await openTeamStore(url, { log });
    await receiveLog(db, messageOf({ records: recordsOf(5) }), PROVIDERS, Date.now());
    await db.close();
    const file = join(temporaryFolder(), 'pinhole.dump');
    const run = (program: string, ...words: readonly string[]) =>
      execFileSync(join(bin ?? '', program), words, { stdio: 'pipe' });
    run('pg_dump', '--format=custom', `--file=${file}`, url);
    expect(readFileSync(file).length).toBeGreaterThan(1_000);
    run('pg_restore', '--exit-on-error', `--dbname=${other}`, file);
    expect(await own.dump(other)).toBe(await own.dump(url));
    // A node starts on it, takes more, and answers.
    const app = await openApp({
      home: temporaryFolder(),
      env: { HOME: temporaryFolder(), PINHOLE_DATABASE_URL: other },
      log,
      baseUrl: () => '',
    });
    const records = recordsOf(6);
    const last = records.slice(5);
    expect(
      await app.services.team?.receive(messageOf({ from: last[0]?.at ?? 0, records: last })),
    ).toMatchObject({ added: 1 });
    expect((await app.services.sessions.reading.health()).events).toBe(6);
    await app.close();
  } finally {
    await own.stop();
  }
});
