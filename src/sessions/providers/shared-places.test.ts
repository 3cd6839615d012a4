import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLIENT_LOGS, placeLog } from '../../../test/fixtures/client-logs/fixtures.ts';
import { type Desk, type DeskOptions, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { sizeText } from '../../contract/format.ts';
import { loadDriver } from '../../store/sqlite.ts';
import type { FromReader } from '../ingest/reader-messages.ts';
import { openRequestServer } from '../ingest/serve-requests.ts';
import { PROVIDERS } from './index.ts';

function place(home: string, ...names: readonly string[]): void {
  for (const log of CLIENT_LOGS.filter(({ name }) => names.includes(name))) placeLog(log, home);
}

async function open(home: string, options: DeskOptions = {}): Promise<Desk> {
  const desk = await openDesk({ home, folders: undefined, providers: [...PROVIDERS], ...options });
  onTestFinished(() => desk.close(true));
  return desk;
}

const agents = async ({ sessions }: Desk) =>
  (await sessions.list.page({}, undefined, 50)).map(({ provider }) => provider).sort();

test.each(['DELETE', 'WAL'])('a database that its program has locked (%s) is read', async (journal) => {
  const home = temporaryFolder();
  place(home, 'opencode', 'pi');
  const held = new (loadDriver())(join(home, '.local/share/opencode/opencode.db'));
  onTestFinished(() => held.close());
  held.exec(`PRAGMA journal_mode = ${journal}; BEGIN EXCLUSIVE; UPDATE session SET title = 'not yet'`);
  const desk = await open(home);
  expect(desk.sessions.reading.unreadable()).toEqual([]);
  expect(await agents(desk)).toEqual(['opencode', 'pi']);
  held.exec('COMMIT');
});

test('a folder that two agents share: each log is read once', async () => {
  const home = temporaryFolder();
  place(home, 'pi');
  const path = join(home, '.pi/agent/sessions');
  const desk = await open(home, {
    folders: [
      { provider: 'pi', path },
      { provider: 'omp', path },
    ],
  });
  expect(await agents(desk)).toEqual(['pi']);
});

test('a home without any agent has no sessions and nothing to report', async () => {
  const desk = await open(temporaryFolder());
  expect(await agents(desk)).toEqual([]);
  expect(await desk.sessions.reading.health()).toMatchObject({ files: 0, unknown: [], badLines: 0 });
  expect(await desk.text('usage', {})).toContain('No usage.');
});

/** Databases of clients, with a table that their readers need. */
const DATABASES = [
  ['opencode', '.local/share/opencode/opencode.db', 'session'],
  ['crush', 'project/.crush/crush.db', 'messages'],
  ['goose', '.local/share/goose/sessions/sessions.db', 'messages'],
  ['zed', '.local/share/zed/threads/threads.db', 'threads'],
  ['cursor', '.config/Cursor/User/globalStorage/state.vscdb', 'cursorDiskKV'],
  ['openclaw', '.openclaw/agents/main/agent/openclaw-agent.sqlite', 'transcript_events'],
] as const;

test.each(DATABASES)(
  'a newer schema of %s is named by the doctor, and the others are read',
  async (name, file, table) => {
    const home = temporaryFolder();
    place(home, name, 'pi');
    const db = new (loadDriver())(join(home, file));
    db.exec(`ALTER TABLE ${table} RENAME TO ${table}_v2`);
    db.close();
    const desk = await open(home);
    expect(await agents(desk)).toEqual(['pi']);
    expect(await desk.text('sessions_doctor', {})).toContain(
      `cannot read ${join(home, file)}: no table '${table}': the database has another version`,
    );
  },
);

test.each(DATABASES)(
  'a database of %s that lost its end is named by the doctor, and the others are read',
  async (name, file) => {
    const home = temporaryFolder();
    place(home, name, 'pi');
    truncateSync(join(home, file), Math.min(700, statSync(join(home, file)).size / 2));
    const desk = await open(home);
    expect(await agents(desk)).toEqual(['pi']);
    expect(await desk.text('sessions_doctor', {})).toContain(`cannot read ${join(home, file)}: `);
  },
);

test('a document that lost its end is named by the doctor, its session stays', async () => {
  const home = temporaryFolder();
  place(home, 'amp', 'pi');
  const desk = await open(home);
  expect(await agents(desk)).toEqual(['amp', 'pi']);
  const [thread] = await readdir(join(home, '.local/share/amp/threads'));
  const path = join(home, '.local/share/amp/threads', thread ?? '');
  writeFileSync(path, readFileSync(path).subarray(0, 500));
  await desk.sessions.reading.refresh();
  expect(await agents(desk)).toEqual(['amp', 'pi']);
  expect(await desk.text('sessions_doctor', {})).toMatch(
    /^cannot read .*T-.*: the file is not complete JSON$/m,
  );
});

test('a log that shrinks is read again, without the records that are gone, and the doctor names it', async () => {
  const home = temporaryFolder();
  place(home, 'pi');
  const desk = await open(home);
  const [before] = await desk.sessions.list.page({}, undefined, 1);
  const folder = join(home, '.pi/agent/sessions/--srv-project--');
  const [name] = await readdir(folder);
  const path = join(folder, name ?? '');
  const log = readFileSync(path, 'utf8');
  const start = log
    .split(/(?<=\n)/)
    .slice(0, 6)
    .join('');
  expect(desk.sessions.reading.shrunk()).toEqual([]);
  writeFileSync(path, start);
  await desk.sessions.reading.refresh();
  const [after] = await desk.sessions.list.page({}, undefined, 1);
  expect(after?.id).toBe(before?.id);
  expect(after?.events).toBeLessThan(before?.events ?? 0);
  expect(desk.sessions.reading.unreadable()).toEqual([]);
  const sizes = { before: Buffer.byteLength(log), now: Buffer.byteLength(start) };
  expect(desk.sessions.reading.shrunk()).toEqual([{ path, ...sizes }]);
  expect(await desk.text('sessions_doctor', {})).toContain(
    `${path} became shorter, from ${sizeText(sizes.before)} to ${sizeText(sizes.now)}; it was read again`,
  );
});

test('a folder on a drive that hangs is named, and the others are read', async () => {
  const home = temporaryFolder();
  place(home, 'pi', 'kimi');
  const told: FromReader[] = [];
  const slow = join(home, '.kimi-code/sessions');
  // A read that never comes back, as on a network drive that is gone.
  const look = (path: string) => (path === slow ? new Promise<never>(() => {}) : readdir(path));
  const server = await openRequestServer(
    join(home, 'sessions.db'),
    PROVIDERS,
    (message) => told.push(message),
    () => {},
    { look, maxWaitMs: 50 },
  );
  const folders = [
    { provider: 'pi', path: join(home, '.pi/agent/sessions') },
    { provider: 'kimi', path: slow },
  ];
  const bytes = await server.serve({
    kind: 'scan',
    folders,
    archive: { folder: join(home, 'archive'), on: false, unredacted: false, forgotten: [] },
  });
  await server.close();
  expect(bytes).toBeGreaterThan(0);
  expect(told).toContainEqual({
    kind: 'unreadable',
    path: slow,
    reason: 'the folder did not respond within 0.05 s; check its drive. Pinhole tries again later',
  });
});
