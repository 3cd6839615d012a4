import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from '../../src/app/open-app.ts';
import { COMMIT_OPERATIONS } from '../../src/commits/operations/index.ts';
import { COMMIT_TABLES } from '../../src/commits/tables.ts';
import type { Caller } from '../../src/contract/caller.ts';
import { ACROSS_KINDS } from '../../src/sessions/operations/analyze-across.ts';
import { SESSION_OPERATIONS } from '../../src/sessions/operations/index.ts';
import { PROVIDERS } from '../../src/sessions/providers/index.ts';
import { logFolders } from '../../src/sessions/providers/log-files.ts';
import { SESSION_TABLES } from '../../src/sessions/tables.ts';
import { SQL_OPERATIONS } from '../../src/sql/operations/index.ts';
import { openPositions } from '../../src/team/collect-positions.ts';
import { createCollector } from '../../src/team/collector.ts';
import { CLIENT_LOGS, placeLog } from '../fixtures/client-logs/fixtures.ts';
import { caller, temporaryFolder } from '../support.ts';
import { type SharedPostgres, sharedPostgres } from './postgres.ts';

/*
 * The same questions over the same logs, asked of SQLite on the machine that has the logs and of PostgreSQL on a server
 * that a collector sent them to. Every operation on sessions answers the same, or is refused there by one rule.
 */

let pg: SharedPostgres;
let here: OpenApp;
let team: OpenApp;
let repository = '';
const ids: string[] = [];

beforeAll(async () => {
  const home = temporaryFolder();
  for (const log of CLIENT_LOGS) placeLog(log, home);
  repository = repositoryIn(home);
  pg = await sharedPostgres();
  const open = (env: NodeJS.ProcessEnv) =>
    openApp({ home: temporaryFolder(), env, log: (line) => console.error(line), baseUrl: () => '' });
  here = await open({ HOME: home });
  team = await open({ HOME: temporaryFolder(), PINHOLE_DATABASE_URL: await pg.database() });
  const positions = await openPositions(join(home, 'collect.db'), 'server');
  const collector = createCollector({
    providers: PROVIDERS,
    folders: logFolders(PROVIDERS, { HOME: home }),
    positions,
    sender: { machine: { id: positions.machine, name: 'laptop' }, person: 'ann', version: '0' },
    send: async (message) => team.services.team?.receive(message) ?? Promise.reject(new Error('no team')),
    log: (line) => {
      throw new Error(line);
    },
  });
  const sent = await collector.all();
  expect(sent.failed).toBe(0);
  // Nothing is new: nothing is sent.
  expect(await collector.all()).toEqual({ logs: 0, records: 0, failed: 0 });
  await positions.close();
  await here.services.sessions.reading.refresh();
  const rows = await here.services.sessions.list.page({ subagents: true }, undefined, 100);
  ids.push(...rows.map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(10);
});

afterAll(async () => {
  await here?.close();
  await team?.close();
});

/** A repository with one commit, for questions about commits. */
function repositoryIn(home: string): string {
  const folder = join(home, 'repository');
  mkdirSync(folder);
  writeFileSync(join(folder, 'add.js'), 'export const add = (a, b) => a + b;\n');
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com', ...words], {
      cwd: folder,
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'add');
  return folder;
}

type Input = Readonly<Record<string, unknown>>;

let calls = 0;
async function ask(app: OpenApp, operation: string, input: Input, more: Partial<Caller> = {}) {
  // A person, because some operations are for people; another one for each call, because of rate limits.
  const who = caller({
    door: 'cli',
    id: `test-${calls++}`,
    roots: [repository],
    cwd: repository,
    budget: 100_000,
    ...more,
  });
  const { ok, rendered } = await app.engine.run(operation, input, { caller: who });
  return { ok, ...JSON.parse(rendered.text) };
}

/** Asks both, and compares. */
async function same(operation: string, input: Input, sorted = false): Promise<void> {
  const [local, shared] = await Promise.all([ask(here, operation, input), ask(team, operation, input)]);
  for (const { data } of sorted ? [local, shared] : [])
    data.rows.sort((a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  expect(local.ok, JSON.stringify(local)).toBe(true);
  const asked = { operation, input };
  expect({ ...asked, answer: comparable(shared) }).toEqual({ ...asked, answer: comparable(local) });
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
  // What tools were given and gave back is not stored a second time.
  'result',
  'machine',
  'person',
  // Of the health of the index: where logs are, and how long they are with their secrets.
  'folders',
  'bytes',
]);

function comparable(answer: unknown): unknown {
  const kept = (name: string, value: unknown) =>
    DIFFERENT.has(name) || (name === 'sessions' && typeof value === 'number') ? undefined : value;
  return JSON.parse(JSON.stringify(answer, kept));
}

const ofEvery = (input: Input = {}) => ids.map((session_id) => ({ session_id, ...input }));

/** What each operation is asked. */
const ASKED: Readonly<Record<string, () => readonly Input[]>> = {
  list_sessions: () => [
    { limit: 50 },
    { sort: 'cost', limit: 50 },
    { failed: true },
    { project: 'project' },
    { tool: 'bash' },
    { per_project: true },
  ],
  get_project_info: () => [{}],
  get_session_summary: ofEvery,
  get_session_details: ofEvery,
  get_session_by_id: ofEvery,
  get_session_full: ofEvery,
  get_session_turns: ofEvery,
  get_turn_steps: () => ofEvery({ turn_index: 0 }),
  get_event_details: () => ofEvery({ event_index: 1 }),
  get_reasoning_chain: ofEvery,
  analyze_session: () => [
    ...ofEvery(),
    {},
    ...ACROSS_KINDS.map((kind) => ({ kind })),
    { project: 'project', since: '2020-01-01' },
  ],
  compare_sessions: () => ids.slice(1).map((b, at) => ({ a: ids[at], b })),
  session_timeline: ofEvery,
  session_files: ofEvery,
  session_subagents: ofEvery,
  session_export: () => [...ofEvery(), { session_id: ids[0], as: 'html' }],
  current_session: () => ofEvery(),
  recall: ofEvery,
  brief: ofEvery,
  file_history: () => [
    {},
    { path: 'src/add.js' },
    { path: 'add.js', reads: true, order: 'oldest' },
    { project: 'project' },
  ],
  search_event_previews: () =>
    [
      { query: 'add' },
      { query: 'src/add.js' },
      { query: '=> {' },
      { query: 'zzz not there' },
      { query: 'ADD' },
      { query: 'function\\s+\\w+', regex: true },
      { query: '(a|b)dd', regex: true },
      { query: 'add', event_type: 'user' },
      { query: 'input', event_type: 'token_usage' },
      { status: 'failed' },
      { tool: 'bash', order: 'oldest' },
      { check: 'test' },
      { min_bytes: 100 },
      { query: 'add two numbers', meaning: true },
    ].map((input) => ({ ...input, limit: 50 })),
  search_events: () => [{ pattern: 'add' }, { pattern: 'add', include_full_payload: true }],
  usage: () => [
    ...['day', 'week', 'month', 'project', 'model', 'agent', 'session'].map((by) => ({ by })),
    { by: 'month', split: 'model' },
    { by: 'project', sort: 'cost' },
  ],
  usage_prices: () => [{}],
  mark_session: () => [{ session_id: ids[0] }],
  sessions_doctor: () => [{}],
  commit_sessions: () => [{}, { of: 'HEAD' }, { of: 'add.js' }],
  blame: () => [{ path: 'add.js' }, { path: 'add.js:1' }],
  how_fixed: () => [{ error: 'ReferenceError: add is not defined' }, { error: 'AssertionError: expected 3' }],
  commit_trace: () => [{ of: 'HEAD' }],
  // Every column of every table, and statements that both dialects know.
  sql: () => [
    ...[...SESSION_TABLES.tables, ...COMMIT_TABLES.tables].map(({ name, columns }) => {
      const names = Object.keys(columns).filter(
        (column) => !DIFFERENT.has(column) && !(name === 'calls' && column === 'input'),
      );
      return {
        query: `SELECT ${names.map((column) => `"${column}"`).join(', ')} FROM ${name}`,
        sorted: true,
      };
    }),
    ...PORTABLE.map((query) => ({ query })),
    { query: 'SELECT session, event, turn, type, text FROM found ORDER BY session, event', find: 'add' },
    {
      query:
        'SELECT s.agent, count(*) AS n FROM found f JOIN sessions s ON s.id = f.session GROUP BY s.agent ORDER BY n DESC, s.agent',
      find: '/add|function/',
    },
  ],
};

const PORTABLE: readonly string[] = [
  'SELECT count(*) AS n, round(sum(cost), 6) AS cost, sum(tokens) AS tokens FROM sessions',
  "SELECT tool, count(*) AS n, sum(CASE WHEN status = 'failed' THEN 1 ELSE 0 END) AS failed FROM calls GROUP BY tool ORDER BY n DESC, tool",
  "SELECT repo_path, count(DISTINCT session) AS n FROM edits WHERE status = 'ok' GROUP BY repo_path ORDER BY n DESC, repo_path LIMIT 5",
  'SELECT s.id, t.turn, t.prompt, t.cost FROM sessions s JOIN turns t ON t.session = s.id ORDER BY s.id, t.turn',
  'WITH long AS (SELECT id FROM sessions WHERE minutes > 1) SELECT u.model, round(sum(u.cost), 3) AS cost FROM usage u JOIN long ON long.id = u.session GROUP BY u.model ORDER BY u.model',
  "SELECT session, snip(text, 20) AS beginning, around(text, 'add', 30) AS place FROM messages ORDER BY session, event",
  'SELECT dirname(path) AS folder, dirname(path, 2) AS top, size(added * 1000) AS size FROM edits ORDER BY path, session, event',
  "SELECT count(*) AS n FROM sessions WHERE started > ago('3d')",
  'SELECT program, check, row_number() OVER (PARTITION BY session ORDER BY event) AS nr FROM calls WHERE check IS NOT NULL ORDER BY session, event',
  "SELECT count(*) AS n FROM messages WHERE regexp('add|sub', text)",
  "SELECT session, event FROM calls WHERE at < ago('1h') AND kind = 'execute' ORDER BY session, event -- a comment",
  "SELECT path, regexp_replace(path, '^.*/', '') AS name, regexp_replace(path, '[aeiou]', '<\\&>', 'gi') AS marked FROM edits ORDER BY path, session, event",
  'SELECT count(*) AS n FROM commits',
  'SELECT 1 AS one FROM sessions WHERE id IS NULL',
];

/** What a team server refuses, by one rule. */
const REFUSED: Readonly<Record<string, () => readonly Input[]>> = {
  sessions_archive: () => [{}, { keep: 'on' }],
  session_forget: () => [{ session_id: ids[0] }],
};

const ALL = [...SESSION_OPERATIONS, ...COMMIT_OPERATIONS, ...SQL_OPERATIONS];

test('every operation on sessions is either compared or refused', () => {
  const known = [...Object.keys(ASKED), ...Object.keys(REFUSED)];
  expect(known.toSorted()).toEqual(ALL.map(({ name }) => name).toSorted());
});

test.each(Object.entries(ASKED))('%s answers the same', async (name, inputs) => {
  for (const { sorted, ...input } of inputs()) await same(name, input, sorted === true);
});

test.each(Object.entries(ASKED))('%s, asked with a token that names the projects', async (name, inputs) => {
  const projects = await team.services.sessions.list.projects(undefined, 100);
  const sees = projects.flatMap(({ path }) => path ?? []);
  const [{ sorted: _, ...input } = {}] = inputs();
  const all = await ask(team, name, input);
  expect(all.ok).toBe(true);
  const seen = await ask(team, name, input, { sees });
  // A query says that there may be others.
  delete seen.data.notes;
  expect(comparable(seen)).toEqual(comparable(all));
});

test.each(Object.entries(REFUSED))('%s is refused', async (name, inputs) => {
  for (const input of inputs())
    expect(await ask(team, name, input)).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        message: expect.stringContaining('is not available on a team server yet. '),
        retryable: false,
      },
    });
});

test.each([{ machine: 'desk' }, { person: 'bob' }])(
  'a search by meaning of %j finds nothing',
  async (filter) => {
    const search = (more: Input) =>
      ask(team, 'search_event_previews', { query: 'add', meaning: true, ...more });
    expect((await search({ machine: 'laptop', person: 'ann' })).data.matches.length).toBeGreaterThan(0);
    expect((await search({ ...filter, limit: 5 })).data.matches).toEqual([]);
  },
);

test('sql without sessions is answered', async () => {
  const query = `SELECT name FROM files WHERE path = '${join(repository, 'add.js')}'`;
  expect(await ask(team, 'sql', { query })).toMatchObject({ ok: true });
});
