import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenApp, openApp } from '../src/app/open-app.ts';
import type { PostgresDatabase } from '../src/store/postgres.ts';
import type { CollectMessage } from '../src/team/collect-message.ts';
import { openTeamStore } from '../src/team/team-store.ts';
import { startPostgres } from '../test/team/postgres.ts';
import { sessionLines, word } from './team-sessions.mjs';

/*
 * One engine of bench/postgres.mjs: takes in generated sessions until it has the wanted number of events, runs searches
 * and SQL, then takes in more. SQLite reads logs from disk; PostgreSQL gets them from four collectors.
 */

const [engine = 'postgres', base = '100000', scales = '1,2,4'] = process.argv.slice(2);
const work = mkdtempSync(join(process.env.PINHOLE_BENCH_FOLDER ?? tmpdir(), 'pinhole-bench-'));
const log = (line: string) => console.error(line);
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
const COLLECTORS = 4;
const SESSIONS_AT_ONCE = 200;
const MESSAGE_RECORDS = 1_000;

/** As a team would set up its server: no data is lost in a power failure. */
const SERVER = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '1GB',
  max_wal_size: '2GB',
};

/** From the most common words to one that occurs in a few texts, and one that occurs in none. */
const SEARCHES = [3, 24, 60, 500, 5_000, 20_000, 59_000]
  .map(word)
  .concat('src/', 'zzz not there', 'expected 2');
const REGEXES = ['FAIL \\S+\\.ts', `${word(3_000)}|${word(4_000)}`, `${word(900)}\\s+\\w+er`];
const AGGREGATES = [
  'SELECT count(*) AS n FROM sessions',
  'SELECT project, count(*) AS n, sum(cost) AS cost FROM sessions GROUP BY project ORDER BY n DESC LIMIT 20',
  'SELECT tool, status, count(*) AS n FROM calls GROUP BY tool, status ORDER BY n DESC',
  'SELECT repo_path, count(DISTINCT session) AS n FROM edits GROUP BY repo_path ORDER BY n DESC LIMIT 20',
  'SELECT model, sum(output) AS output, sum(cost) AS cost FROM usage GROUP BY model ORDER BY output DESC',
  "SELECT count(*) AS n FROM messages WHERE text LIKE '%number%'",
];
const OPERATIONS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['list_sessions', { limit: 50 }],
  ['list_sessions', { sort: 'cost', limit: 50 }],
  ['usage', { by: 'project' }],
  ['usage', { by: 'day' }],
  ['file_history', { path: `${word(45)}.ts` }],
];

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const begun = performance.now();
  return { value: await work(), ms: performance.now() - begun };
}

let calls = 0;
async function ask(app: OpenApp, operation: string, input: Readonly<Record<string, unknown>>): Promise<void> {
  const caller = {
    ...({ door: 'cli', client: 'bench', id: `bench-${calls++}`, roots: [] } as const),
    ...({ budget: 20_000, format: 'json' } as const),
  };
  const { ok, rendered } = await app.engine.run(operation, input, { caller });
  if (!ok) throw new Error(`${operation} ${JSON.stringify(input)}: ${rendered.text}`);
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);
const at = (times: readonly number[], share: number) =>
  (times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0).toFixed(0);

/** How long the work takes, or the reason if it is refused. */
async function shown(work: () => Promise<void>): Promise<string> {
  try {
    return `${(await timed(work)).ms.toFixed(0)} ms`;
  } catch (error) {
    return `refused (${error instanceof Error ? error.message.slice(0, 200) : error})`;
  }
}

async function measure(app: OpenApp): Promise<void> {
  const times: number[] = [];
  const slowest = new Map<string, number>();
  for (let round = 0; round < 10; round++)
    for (const [query, regex] of [
      ...SEARCHES.map((text) => [text, false] as const),
      ...REGEXES.map((text) => [text, true] as const),
    ]) {
      const { ms } = await timed(() => ask(app, 'search_event_previews', { query, ...(regex && { regex }) }));
      times.push(ms);
      slowest.set(query, Math.max(ms, slowest.get(query) ?? 0));
    }
  times.sort((a, b) => a - b);
  const [worst] = [...slowest].sort((a, b) => b[1] - a[1]);
  console.log(
    `  search p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms (${times.length} searches; slowest ${JSON.stringify(worst?.[0])})`,
  );
  for (const [operation, input] of OPERATIONS)
    console.log(
      `  ${operation} ${JSON.stringify(input)}: ${await shown(() => ask(app, operation, input))}, again ${await shown(() => ask(app, operation, input))}`,
    );
  for (const query of AGGREGATES)
    console.log(
      `  sql ${await shown(() => ask(app, 'sql', { query }))}, again ${await shown(() => ask(app, 'sql', { query }))}: ${query}`,
    );
}

let made = 0;
/** The next batch of sessions. */
function* more() {
  const end = made + SESSIONS_AT_ONCE;
  while (made < end) yield sessionLines(made++);
}

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

async function sqlite(): Promise<void> {
  const home = join(work, 'home');
  mkdirSync(join(home, '.claude/projects'), { recursive: true });
  const app = await openApp({ home: join(work, 'data'), env: { HOME: home }, log, baseUrl: () => '' });
  const { reading } = app.services.sessions;
  let bytes = 0;
  let [busy, ms] = [0, 0];
  for (const scale of scales.split(',').map(Number)) {
    let health = await reading.health();
    while (health.events < Number(base) * scale) {
      for (const { id, project, lines } of more()) {
        const folder = join(home, '.claude/projects', project);
        mkdirSync(folder, { recursive: true });
        const text = `${lines.join('\n')}\n`;
        bytes += text.length;
        writeFileSync(join(folder, `${id}.jsonl`), text);
      }
      const before = cpu();
      ms += (await timed(() => reading.refresh())).ms;
      busy += cpu() - before;
      health = await reading.health();
    }
    const file = join(work, 'data/sessions.db');
    const size = statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
    console.log(
      `SQLite: ${health.events} events, ${health.sessions} sessions, logs ${mb(bytes)}, index ${mb(size)}; read in ${seconds(ms)} s, ${busy.toFixed(1)} s of processor time`,
    );
    await measure(app);
  }
  await app.close();
}

function* messagesOf({ id, project, cwd, lines }: ReturnType<typeof sessionLines>, person: number) {
  let position = 0;
  for (let first = 0; first < lines.length; first += MESSAGE_RECORDS) {
    const from = position;
    const records = lines.slice(first, first + MESSAGE_RECORDS).map((text) => {
      const record = { at: position, length: text.length + 1, text };
      position += record.length;
      return record;
    });
    yield {
      machine: { id: `machine-${person}`, name: `machine-${person}` },
      person: `person-${person}`,
      version: '0',
      now: Date.now(),
      log: {
        path: `/home/dev/.claude/projects/${project}/${id}.jsonl`,
        provider: 'claude_code',
        run: id,
        place: { id },
        project: `github.com/team/${project}`,
        root: cwd,
      },
      from,
      to: position,
      records,
    } satisfies CollectMessage;
  }
}

/** CPU time of the server's processes so far, if it runs on this Linux machine. */
async function serverCpu(db: PostgresDatabase): Promise<number> {
  let ticks = 0;
  for (const { pid } of await db.own('SELECT pid FROM pg_stat_activity'))
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended, or runs elsewhere.
    }
  return ticks / 100;
}

async function postgres(): Promise<void> {
  const given = process.env.PINHOLE_DATABASE_URL;
  const words = Object.entries(SERVER).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const own = given === undefined ? await startPostgres(words) : undefined;
  if (own !== undefined) console.log(`PostgreSQL with ${words.filter((word) => word !== '-c').join(' ')}`);
  const url = given ?? (await own?.database()) ?? '';
  const env = { HOME: join(work, 'none'), PINHOLE_DATABASE_URL: url };
  const app = await openApp({ home: join(work, 'team'), env, log, baseUrl: () => '' });
  const db = await openTeamStore(url, { log });
  const { team } = app.services;
  const counted = async () => {
    const [row] = await db.own(
      'SELECT COUNT(*) AS sessions, COALESCE(SUM(events), 0) AS events FROM sessions',
    );
    return { sessions: Number(row?.sessions), events: Number(row?.events) };
  };
  let [taken, bytes, busy, serverBusy, ms] = [0, 0, 0, 0, 0];
  // A database that an earlier run filled is continued.
  const before = await counted();
  let { events } = before;
  made = before.sessions;
  for (const scale of scales.split(',').map(Number)) {
    const serverBefore = await serverCpu(db);
    while (events < Number(base) * scale) {
      const spent = cpu();
      const some = more();
      const collector = async (): Promise<void> => {
        for (let next = some.next(); !next.done; next = some.next())
          for (const message of messagesOf(
            next.value,
            Number.parseInt(next.value.id.slice(0, 8), 16) % 500,
          )) {
            bytes += message.to - message.from;
            await team?.receive(message);
          }
      };
      ms += (await timed(() => Promise.all(Array.from({ length: COLLECTORS }, collector)))).ms;
      busy += cpu() - spent;
      const now = await counted();
      taken += now.events - events;
      events = now.events;
    }
    serverBusy += (await serverCpu(db)) - serverBefore;
    await db.own('ANALYZE');
    const parts = await db.own(
      `SELECT regexp_replace(c.relname, '_\\d{6}$', '') AS name, SUM(pg_table_size(c.oid)) AS rows, SUM(pg_indexes_size(c.oid)) AS indexes
       FROM pg_class c WHERE c.relnamespace = 'pinhole'::regnamespace AND c.relkind = 'r' GROUP BY 1 ORDER BY 2 DESC`,
    );
    const sum = (name: 'rows' | 'indexes') => parts.reduce((all, part) => all + Number(part[name]), 0);
    const [has] = await db.own(
      'SELECT (SELECT COUNT(*) FROM sessions) AS sessions, (SELECT COUNT(*) FROM lines) AS lines',
    );
    const sessions = Number(has?.sessions);
    console.log(
      `PostgreSQL: ${events} events, ${sessions} sessions, logs ${mb(bytes)}, tables ${mb(sum('rows'))}, indexes ${mb(sum('indexes'))}; ${taken} taken in in ${seconds(ms)} s (${Math.round(taken / (ms / 1000))} events/s), ${busy.toFixed(1)} s of processor time in the node, ${serverBusy.toFixed(1)} s in the server`,
    );
    console.log(
      `  per session: ${(Number(has?.lines) / sessions).toFixed(0)} records, ${(events / sessions).toFixed(0)} events, ${((sum('rows') + sum('indexes')) / sessions / 1e3).toFixed(0)} kB`,
    );
    console.log(
      `  ${parts
        .slice(0, 10)
        .map(({ name, rows, indexes }) => `${name} ${mb(Number(rows))} + ${mb(Number(indexes))}`)
        .join(', ')}`,
    );
    await measure(app);
  }
  await db.close();
  await app.close();
  await own?.stop();
}

try {
  await (engine === 'sqlite' ? sqlite() : postgres());
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exit();
