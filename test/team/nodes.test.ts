import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from '../../src/app/open-app.ts';
import type { Job } from '../../src/jobs/jobs.ts';
import { sharedJobs } from '../../src/team/shared-jobs.ts';
import { openTeamStore } from '../../src/team/team-store.ts';
import { caller, temporaryFolder } from '../support.ts';
import { counting } from './job-node.fixture.ts';
import { messageOf, recordsOf } from './messages.ts';
import { type SharedPostgres, sharedPostgres } from './postgres.ts';

/* Nodes have no state of their own: what one began another one continues. */

let pg: SharedPostgres;
const nodes: OpenApp[] = [];
const SESSIONS = 12;

beforeAll(async () => {
  pg = await sharedPostgres();
  const url = await pg.database();
  for (let at = 0; at < 2; at++)
    nodes.push(
      await openApp({
        home: temporaryFolder(),
        env: { HOME: temporaryFolder(), PINHOLE_DATABASE_URL: url },
        log: () => {},
        baseUrl: () => '',
      }),
    );
  for (let at = 0; at < SESSIONS; at++) await send(at, 3);
});
afterAll(async () => {
  for (const node of nodes) await node.close();
});

const idOf = (at: number) => `5e55a0${String(at).padStart(2, '0')}-0000-4000-8000-000000000001`;

async function send(at: number, count: number): Promise<void> {
  const message = messageOf({ records: recordsOf(count) });
  const texts = message.records.map((record) => ({
    ...record,
    text: record.text.replace('5e55a001-0000-4000-8000-000000000001', idOf(at)),
  }));
  const log = { ...message.log, path: `/home/ann/${idOf(at)}.jsonl`, place: { id: idOf(at) } };
  await nodes[0]?.services.team?.receive({ ...message, log, records: texts });
}

async function ask(at: number, operation: string, input: Readonly<Record<string, unknown>>, who = 'test') {
  const node = nodes[at] ?? nodes[0];
  const answer = await node?.engine.run(operation, input, { caller: caller({ id: who, client: who }) });
  return JSON.parse(answer?.rendered.text ?? '{}');
}

/** All pages, each asked of the other node. */
async function pages(operation: string, input: Readonly<Record<string, unknown>>, rows: string) {
  const found: unknown[] = [];
  let cursor: string | undefined;
  for (let at = 0; at < 20; at++) {
    const { data, pagination, error } = await ask(
      at % 2,
      operation,
      cursor === undefined ? input : { cursor },
    );
    expect(error).toBeUndefined();
    found.push(...data[rows]);
    cursor = pagination.next_cursor;
    if (cursor === undefined) return found;
  }
  throw new Error('too many pages');
}

test('pages of a list and of a search continue on the other node', async () => {
  const list = await pages('list_sessions', { limit: 5 }, 'sessions');
  expect(new Set(list.map((row) => JSON.stringify(row))).size).toBe(SESSIONS);
  const once = (await ask(0, 'search_event_previews', { query: 'prompt number', limit: 50 })).data.matches;
  const found = await pages('search_event_previews', { query: 'prompt number', limit: 7 }, 'matches');
  expect(once.length).toBe(3 * SESSIONS);
  expect(found).toEqual(once);
  const rows = await pages(
    'sql',
    { query: 'SELECT session, turn FROM turns ORDER BY 1, 2', limit: 10 },
    'rows',
  );
  expect(rows.length).toBe(3 * SESSIONS);
  expect(new Set(rows.map(String)).size).toBe(3 * SESSIONS);
});

test('what arrives between two pages neither repeats nor drops a row', async () => {
  const first = await ask(0, 'search_event_previews', { query: 'prompt number', limit: 7 });
  await send(50, 2);
  const second = await ask(1, 'search_event_previews', { cursor: first.pagination.next_cursor });
  const all = (await ask(0, 'search_event_previews', { query: 'prompt number', limit: 50 })).data.matches;
  const keyOf = (row: { session_id: string; event_index: number }) => `${row.session_id} ${row.event_index}`;
  const old = all.map(keyOf).filter((key: string) => !key.startsWith('5e55a050'));
  expect(
    [...first.data.matches, ...second.data.matches]
      .map(keyOf)
      .filter((key: string) => !key.startsWith('5e55a050')),
  ).toEqual(
    old.slice(
      0,
      first.data.matches.length +
        second.data.matches.filter((row: { session_id: string }) => row.session_id !== '5e55a050').length,
    ),
  );
  // A cursor is for those who see the same projects.
  const { error } = await (async () => {
    const answer = await nodes[1]?.engine.run(
      'search_event_previews',
      { cursor: first.pagination.next_cursor },
      { caller: caller({ sees: ['example.com/acme/api'] }) },
    );
    return JSON.parse(answer?.rendered.text ?? '{}');
  })();
  expect(error.code).toBe('invalid_cursor');
});

test('the audit of all nodes is one', async () => {
  await ask(1, 'list_sessions', {}, 'somebody on the other node');
  await nodes[1]?.services.audit.flush();
  const rows = await nodes[0]?.services.audit.newest(undefined, 200);
  expect(rows?.some(({ client }) => client === 'somebody on the other node')).toBe(true);
});

test('a job is started on one node and seen on another, which finishes it when the first is killed', async () => {
  const url = await pg.database();
  const folder = temporaryFolder();
  const bundle = join(folder, 'node.mjs');
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
  await build({
    entryPoints: [join(import.meta.dirname, 'job-node.fixture.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
  const db = await openTeamStore(url, { log: () => {} });
  await db.own('CREATE TABLE counted (step BIGINT PRIMARY KEY, who TEXT NOT NULL)');
  const killed = spawn(process.execPath, [bundle, url, '100'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: join(import.meta.dirname, '../..'),
  });
  await once(killed.stdout, 'data');
  // It only looks at first.
  const jobs = sharedJobs(db, { now: Date.now, log: () => {} });
  jobs.register(counting(db, 5, 'survivor'));
  const seen: Job[] = [];
  const job = await jobs.start('count', 'all', {});
  expect((await jobs.start('count', 'all', {})).id).toBe(job.id);
  const until = (done: (job: Job) => boolean) =>
    new Promise<void>((resolve) => {
      const stop = jobs.watchAll((now) => {
        seen.push(now);
        if (!done(now)) return;
        stop();
        resolve();
      });
    });
  const progressed = until(({ progress }) => (progress?.done ?? 0) >= 3);
  const listening = jobs.listenOnly();
  await progressed;
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const ended = until(({ status }) => status === 'done');
  await listening;
  jobs.begin();
  await ended;
  expect(await jobs.get(job.id)).toMatchObject({ status: 'done', report: { by: 'survivor', resumed: true } });
  const [count] = await db.own(
    "SELECT COUNT(*) AS n, COUNT(*) FILTER (WHERE who = 'killed') AS before FROM counted",
  );
  expect(count?.n).toBe(20);
  expect(Number(count?.before)).toBeGreaterThanOrEqual(3);
  await jobs.close();
  await db.close();
});
