import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROVIDERS } from '../../src/sessions/providers/index.ts';
import { logFolders } from '../../src/sessions/providers/log-files.ts';
import { openPositions } from '../../src/team/collect-positions.ts';
import { createCollector } from '../../src/team/collector.ts';
import { receiveLog } from '../../src/team/receive-log.ts';
import { teamSessions } from '../../src/team/team-sessions.ts';
import { openTeamStore } from '../../src/team/team-store.ts';
import { CLIENT_LOGS, placeLog } from '../fixtures/client-logs/fixtures.ts';
import { type Desk, openDesk } from '../fixtures/sessions/harness.ts';
import { temporaryFolder } from '../support.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

/*
 * The same questions over the same logs, asked of SQLite on the machine that has the logs and of PostgreSQL on a server
 * that a collector sent them to. The answers must be the same.
 */

let pg: TestPostgres;
const desks: { sqlite?: Desk; postgres?: Desk } = {};
const ids: string[] = [];

beforeAll(async () => {
  const home = temporaryFolder();
  for (const log of CLIENT_LOGS) placeLog(log, home);
  desks.sqlite = await openDesk({ home, folders: undefined, providers: [...PROVIDERS] });
  pg = await startPostgres();
  const url = await pg.database();
  const db = await openTeamStore(url, { log: () => {} });
  const positions = await openPositions(join(home, 'collect.db'), 'server');
  const collector = createCollector({
    providers: PROVIDERS,
    folders: logFolders(PROVIDERS, { HOME: home }),
    positions,
    sender: { machine: { id: positions.machine, name: 'laptop' }, person: 'ann', version: '0' },
    send: (message) => receiveLog(db, message, PROVIDERS, Date.now()),
    log: (line) => {
      throw new Error(line);
    },
  });
  const sent = await collector.all();
  expect(sent.failed).toBe(0);
  // Nothing is new: nothing is sent.
  expect(await collector.all()).toEqual({ logs: 0, records: 0, failed: 0 });
  await positions.close();
  const sessions = teamSessions(url, db, { home: join(home, 'team'), log: () => {} });
  desks.postgres = await openDesk({ home, sessions, log: (line) => console.error(line) });
  const rows = await desks.sqlite.sessions.list.page({ subagents: true }, undefined, 100);
  ids.push(...rows.map(({ id }) => id));
});

afterAll(async () => {
  await desks.sqlite?.close(true);
  await desks.postgres?.close(true);
  await pg?.stop();
});

/** Asks both, and compares. */
async function same(operation: string, input: Readonly<Record<string, unknown>>): Promise<void> {
  const [here, there] = await Promise.all([
    desks.sqlite?.ask(operation, input, { budget: 100_000 }),
    desks.postgres?.ask(operation, input, { budget: 100_000 }),
  ]);
  expect(here.ok, JSON.stringify(here)).toBe(true);
  const told = { operation, input };
  expect({ ...told, answer: comparable(there) }).toEqual({ ...told, answer: comparable(here) });
}

/** What differs on purpose: cursors, sizes, where a text was read from, and totals, which are counted as time allows. */
const DIFFERENT = new Set([
  'size',
  'meta',
  'next_cursor',
  'links',
  'left',
  'total',
  'source',
  'log_path',
  'expires_at',
  'machine',
  'person',
]);

function comparable(answer: unknown): unknown {
  const kept = (name: string, value: unknown) =>
    DIFFERENT.has(name) || (name === 'sessions' && typeof value === 'number') ? undefined : value;
  return JSON.parse(JSON.stringify(answer, kept));
}

test('sessions and projects', async () => {
  await same('list_sessions', { limit: 50 });
  await same('list_sessions', { sort: 'cost', limit: 50 });
  await same('list_sessions', { failed: true });
  await same('list_sessions', { project: 'project' });
  await same('list_sessions', { tool: 'bash' });
  await same('list_sessions', { per_project: true });
  await same('get_project_info', {});
});

describe('of every session', () => {
  test.each([
    'get_session_summary',
    'get_session_details',
    'get_session_turns',
    'analyze_session',
    'session_timeline',
  ])('%s', async (operation) => {
    expect(ids.length).toBeGreaterThan(10);
    for (const session_id of ids) await same(operation, { session_id });
  });

  test('get_turn_steps, get_event_details', async () => {
    for (const session_id of ids) {
      await same('get_turn_steps', { session_id, turn_index: 0 });
      await same('get_event_details', { session_id, event_index: 1 });
    }
  });
});

test.each(['day', 'week', 'month', 'project', 'model', 'agent', 'session'])('usage by %s', async (by) => {
  await same('usage', { by });
});

test.each([
  { query: 'add' },
  { query: 'src/add.js' },
  { query: '=> {' },
  { query: 'zzz not there' },
  { query: 'ADD' },
  { query: 'function\\s+\\w+', regex: true },
  { query: '(a|b)dd', regex: true },
  { query: 'add', event_type: 'user' },
  { query: 'input', event_type: 'token_usage' },
])('search %j', async (input) => {
  await same('search_event_previews', { ...input, limit: 50 });
});
