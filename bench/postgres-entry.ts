import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type OpenApp, openApp } from '../src/app/open-app.ts';
import { PROVIDERS } from '../src/sessions/providers/index.ts';
import { logFolders } from '../src/sessions/providers/log-files.ts';
import { openPositions } from '../src/team/collect-positions.ts';
import { createCollector } from '../src/team/collector.ts';
import { openTeamStore } from '../src/team/team-store.ts';
import { CLIENT_LOGS, placeLog } from '../test/fixtures/client-logs/fixtures.ts';
import { startPostgres } from '../test/team/postgres.ts';
import { withFreshIds } from './sessions-material.mjs';

/* One size of bench/postgres.mjs: logs of real clients, copied with other ids until there are enough events. */

const wanted = Number(process.argv[2] ?? 10_000);
const work = mkdtempSync(join(tmpdir(), 'pinhole-bench-'));
const log = () => {};
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

const SEARCHES = [
  'add',
  'function',
  'src/add.js',
  '=> {',
  'zzz not there',
  'expected',
  'npm test',
  'TypeError',
  'const',
  'export',
];
const REGEXES = ['function\\s+\\w+', '(a|b)dd', 'add\\.(js|ts)'];
const AGGREGATES = [
  'SELECT count(*) AS n FROM sessions',
  'SELECT agent, count(*) AS n, sum(cost) AS cost FROM sessions GROUP BY agent ORDER BY n DESC',
  'SELECT tool, status, count(*) AS n FROM calls GROUP BY tool, status ORDER BY n DESC',
  'SELECT repo_path, count(DISTINCT session) AS n FROM edits GROUP BY repo_path ORDER BY n DESC',
  'SELECT model, sum(output) AS output, sum(cost) AS cost FROM usage GROUP BY model ORDER BY output DESC',
  "SELECT count(*) AS n FROM messages WHERE text LIKE '%number%'",
];

interface Made {
  readonly logs: number;
  readonly bytes: number;
}

/** Logs that are lines of JSON, copied with other ids; those that are databases stay one. */
function makeLogs(home: string, events: number): Made {
  for (const one of CLIENT_LOGS) placeLog(one, home);
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({ name, text: readFileSync(join(home, name), 'utf8') }));
  const inOne = files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  let bytes = files.reduce((sum, { text }) => sum + text.length, 0);
  let logs = files.length;
  for (let copy = 1; copy * inOne < events; copy++)
    for (const { name, text } of files) {
      const path = join(home, withFreshIds(name, copy));
      const made = withFreshIds(text, copy);
      // Some names have no id; those of the copies need one.
      const other = path === join(home, name) ? path.replace(/\.jsonl$/, `-${copy}.jsonl`) : path;
      mkdirSync(dirname(other), { recursive: true });
      writeFileSync(other, made);
      bytes += made.length;
      logs++;
    }
  return { logs, bytes };
}

async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly ms: number; readonly cpu: number }> {
  const before = process.cpuUsage();
  const begun = performance.now();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return { value, ms: performance.now() - begun, cpu: (user + system) / 1_000 };
}

let calls = 0;
async function ask(
  app: OpenApp,
  operation: string,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const caller = {
    door: 'cli',
    client: 'bench',
    id: `bench-${calls++}`,
    roots: [],
    budget: 100_000,
    format: 'json',
  } as const;
  const { ok, rendered } = await app.engine.run(operation, input, { caller });
  if (!ok) throw new Error(rendered.text);
  return rendered.text;
}

async function searchTimes(app: OpenApp): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    for (const query of SEARCHES)
      times.push((await timed(() => ask(app, 'search_event_previews', { query }))).ms);
    for (const query of REGEXES)
      times.push((await timed(() => ask(app, 'search_event_previews', { query, regex: true }))).ms);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    (times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${times.length} searches)`;
}

async function sqlTimes(app: OpenApp): Promise<readonly string[]> {
  const shown: string[] = [];
  for (const query of AGGREGATES) {
    await ask(app, 'sql', { query });
    const all = [];
    for (let round = 0; round < 5; round++) all.push((await timed(() => ask(app, 'sql', { query }))).ms);
    shown.push(Math.min(...all).toFixed(0));
  }
  return shown;
}

async function main(): Promise<void> {
  const home = join(work, 'home');
  mkdirSync(home);
  const { logs, bytes } = makeLogs(home, wanted);
  const own =
    process.env.PINHOLE_DATABASE_URL === undefined
      ? await startPostgres(['-c', 'shared_buffers=256MB'])
      : undefined;
  const url = process.env.PINHOLE_DATABASE_URL ?? (await own?.database()) ?? '';

  const here = await openApp({ home: join(work, 'data'), env: { HOME: home }, log, baseUrl: () => '' });
  const local = await timed(() => here.services.sessions.reading.refresh());
  const { events, sessions } = await here.services.sessions.reading.health();
  const file = join(work, 'data/sessions.db');
  const size = statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  console.log(`\n${events} events, ${sessions} sessions, ${logs} logs, ${mb(bytes)}`);

  const team = await openApp({
    home: join(work, 'team'),
    env: { HOME: join(work, 'none'), PINHOLE_DATABASE_URL: url },
    log,
    baseUrl: () => '',
  });
  const positions = await openPositions(join(work, 'collect.db'), 'bench');
  const collector = createCollector({
    providers: PROVIDERS,
    folders: logFolders(PROVIDERS, { HOME: home }),
    positions,
    sender: { machine: { id: positions.machine, name: 'bench' }, person: 'bench', version: '0' },
    send: async (message) => team.services.team?.receive(message) ?? Promise.reject(new Error('no team')),
    log: console.error,
  });
  const shared = await timed(() => collector.all());
  await positions.close();
  const db = await openTeamStore(url, { log });
  await db.own('ANALYZE');
  const rate = (ms: number) => `${Math.round(events / (ms / 1000))} events/s`;
  console.log(
    `reading: SQLite ${rate(local.ms)}; PostgreSQL ${rate(shared.ms)} from one collector (${(shared.cpu / events).toFixed(2)} ms CPU per event in Node)`,
  );
  const tables = await db.own(
    `SELECT regexp_replace(c.relname, '_\\d{6}$', '') AS name, SUM(pg_total_relation_size(c.oid)) AS size FROM pg_class c
     WHERE c.relnamespace = 'pinhole'::regnamespace AND c.relkind = 'r' GROUP BY 1 ORDER BY 2 DESC LIMIT 8`,
  );
  const [whole] = await db.own(
    "SELECT SUM(pg_total_relation_size(oid)) AS size FROM pg_class WHERE relnamespace = 'pinhole'::regnamespace AND relkind = 'r'",
  );
  const [rows] = await db.own(
    'SELECT (SELECT COUNT(*) FROM lines) AS lines, (SELECT COUNT(*) FROM events) AS events, (SELECT COUNT(*) FROM sessions) AS sessions, (SELECT COUNT(*) FROM tools) AS calls',
  );
  console.log(
    `size: SQLite ${mb(size)}; PostgreSQL ${mb(Number(whole?.size))}: ${tables.map((row) => `${row.name} ${mb(Number(row.size))}`).join(', ')}`,
  );
  console.log(
    `per session: ${(Number(rows?.lines) / Number(rows?.sessions)).toFixed(0)} records, ${(Number(rows?.events) / Number(rows?.sessions)).toFixed(0)} events, ${(Number(whole?.size) / Number(rows?.sessions) / 1e3).toFixed(0)} kB`,
  );
  console.log(`search: SQLite ${await searchTimes(here)}; PostgreSQL ${await searchTimes(team)}`);
  const [one, other] = [await sqlTimes(here), await sqlTimes(team)];
  console.log('sql, ms:  SQLite  PostgreSQL');
  for (const [at, query] of AGGREGATES.entries())
    console.log(`${(one[at] ?? '').padStart(16)}${(other[at] ?? '').padStart(12)}  ${query}`);
  await db.close();
  await here.close();
  await team.close();
  await own?.stop();
}

try {
  await main();
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exit();
