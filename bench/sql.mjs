// SQL over a million files, and over logs (PINHOLE_CORPUS, PINHOLE_BENCH_MB): first and later queries, memory.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { steps } from './sessions.mjs';
import { multiply } from './sessions-material.mjs';
import { buildEntry } from './source.mjs';

const FILES = Number(process.env.PINHOLE_BENCH_FILES ?? 1_000_000);
const MB = Number(process.env.PINHOLE_BENCH_MB ?? 1000);

const DISK = [
  'select count(*) from files',
  'select path, size from files order by size desc limit 10',
  "select count(*) from files where name like '%zz%'",
  'select ext, count(*), sum(size) from files group by 1 order by 3 desc limit 10',
  "select sum(size) from files where path like '/million/%/test%'",
  "select count(*) from files where modified < ago('2000d')",
  'select owner, count(*) from files group by 1',
  'select dirname(path, 2), sum(size) from files group by 1 order by 2 desc limit 10',
  "select count(*) from files where name regexp '^index_.*zz'",
  'select path, entries from folders order by entries desc limit 10',
];

const SESSIONS = [
  'select count(*) from sessions',
  'select id, cost, first_prompt from sessions order by cost desc limit 5',
  'select repo_path, count(distinct session) n, count(*) from edits group by 1 order by 2 desc limit 10',
  "select tool, error_class, count(*) from calls where status = 'failed' group by 1, 2 order by 3 desc limit 10",
  'select date(at), model, sum(output) from usage group by 1, 2 order by 1 desc limit 20',
  "select count(*) from calls where at > ago('30d')",
  "select session, count(*) from messages where role = 'user' group by 1 order by 2 desc limit 5",
  "select session, event, snip(text, 80) from messages where text like '%race condition%' limit 5",
];

export async function run() {
  const work = mkdtempSync(join(tmpdir(), 'pinhole-bench-'));
  try {
    const step = await entry();
    const file = join(work, 'tree.idx');
    const { nodes } = step('make', file, String(FILES));
    console.log(`disk: ${nodes} nodes`);
    print(DISK, step('ask', file, '', ...DISK));
    const corpus = process.env.PINHOLE_CORPUS;
    if (corpus === undefined) return console.log('sessions: PINHOLE_CORPUS names no folder with logs');
    const logs = join(work, 'logs');
    const home = join(work, 'home');
    const bytes = multiply(join(corpus, 'data/sessions'), logs, MB * 1e6);
    const { result } = (await steps())('read', logs, home);
    const mb = (size) => `${(size / 1e6).toFixed(0)} MB`;
    console.log(`sessions: ${mb(bytes)} of logs, ${result.events} events, database ${mb(result.database)}`);
    print(SESSIONS, step('ask', '', join(home, 'sessions.db'), ...SESSIONS));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function print(queries, { times, rss, peak }) {
  console.log('     ms  of them CPU time');
  for (const [i, query] of queries.entries())
    console.log(`${String(times[i].ms).padStart(7)}${String(times[i].cpu).padStart(8)}  ${query}`);
  console.log(
    `memory of the query process: ${(rss / 1e6).toFixed(0)} MB, at most ${(peak / 1e6).toFixed(0)} MB`,
  );
}

/** Bundles bench/sql-entry.ts; returns a function that runs one of its steps. */
async function entry() {
  const outfile = await buildEntry('sql-entry');
  return (...args) => {
    const out = execFileSync(process.execPath, [outfile, ...args], { encoding: 'utf8' });
    return JSON.parse(out.trim().split('\n').at(-1));
  };
}
