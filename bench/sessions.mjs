// Sessions: reading logs beside ccusage, an append to a large log, search beside ripgrep.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { multiply, sourceLogs } from './sessions-material.mjs';
import { buildEntry } from './source.mjs';

const CCUSAGE = 'ccusage@18.0.11';
/** Size of the material in MB; the targets are meant for 1,000. */
const MB = Number(process.env.PINHOLE_BENCH_MB ?? 1000);

export async function run() {
  const corpus = process.env.PINHOLE_CORPUS;
  if (corpus === undefined) throw new Error('PINHOLE_CORPUS must name the folder with the test material');
  const source = join(corpus, 'data/sessions');
  const work = mkdtempSync(join(tmpdir(), 'pinhole-bench-'));
  try {
    const step = await steps();
    const logs = join(work, 'logs');
    const bytes = multiply(source, logs, MB * 1e6);
    console.log(`material: ${(bytes / 1e6).toFixed(0)} MB of logs, made by repetition with fresh ids`);
    const home = join(work, 'home');
    readAll(step, logs, home, bytes);
    search(step, logs, home);
    tokensOnly(step, logs, work);
    growth(step, source, work);
    append(step, source, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Builds bench/sessions-entry.ts; returns a function that runs one of its steps in a process of its own. */
export async function steps() {
  const outfile = await buildEntry('sessions-entry');
  return (...args) => {
    const started = performance.now();
    const out = execFileSync(process.execPath, [outfile, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return { wall: performance.now() - started, result: JSON.parse(out.trim().split('\n').at(-1)) };
  };
}

function readAll(step, logs, home, bytes) {
  const { ms, cpu, rss, events, database } = step('read', logs, home).result;
  console.log(
    `S1 read all, with events, redaction and search index: ${(ms / 1000).toFixed(1)} s, of one processor ${(cpu / 1000).toFixed(1)} s (${(bytes / 1e3 / cpu).toFixed(1)} MB a second of it)`,
  );
  console.log(
    `   ${(bytes / 1e3 / ms).toFixed(1)} MB/s (target 25), ${events} events, memory ${(rss / 1e6).toFixed(0)} MB (target 400), index ${(database / 1e6).toFixed(0)} MB`,
  );
}

function tokensOnly(step, logs, work) {
  const tool = join(work, 'ccusage');
  mkdirSync(tool, { recursive: true });
  writeFileSync(join(tool, 'package.json'), '{"private":true}');
  if (spawnSync('npm', ['install', '--silent', CCUSAGE], { cwd: tool }).status !== 0) {
    console.log(`S1 tokens only: ${CCUSAGE} could not be installed`);
    return;
  }
  // ccusage looks for projects/<folder>/*.jsonl.
  const config = join(work, 'claude');
  mkdirSync(join(config, 'projects/bench'), { recursive: true });
  let bytes = 0;
  for (const file of sourceLogs(join(logs, 'claude_code'))) {
    cpSync(file, join(config, 'projects/bench', relative(logs, file).replaceAll('/', '-')));
    bytes += statSync(file).size;
  }
  const command = [join(tool, 'node_modules/.bin/ccusage'), 'session', '--json', '--offline'];
  const started = performance.now();
  const answer = spawnSync(command[0], command.slice(1), {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, CLAUDE_CONFIG_DIR: config },
  });
  const theirs = performance.now() - started;
  const ours = step('tokens', config);
  const total = JSON.parse(answer.stdout || '{}').totals?.totalTokens;
  console.log(`S1 tokens only, ${(bytes / 1e6).toFixed(0)} MB of Claude logs, whole process each:`);
  console.log(
    `   ccusage ${(theirs / 1000).toFixed(1)} s (${total} tokens), pinhole ${(ours.wall / 1000).toFixed(1)} s (${ours.result.total} tokens): ${(theirs / ours.wall).toFixed(1)} × (target 3)`,
  );
  console.log(`   command: CLAUDE_CONFIG_DIR=… ccusage session --json --offline   (${CCUSAGE})`);
}

function append(step, source, work) {
  const logs = join(work, 'append');
  multiply(source, logs, 1e6);
  const { large, ms, appended } = step('append', logs, join(work, 'append-home')).result;
  console.log(
    `S2 append of ${(appended / 1e6).toFixed(0)} MB to a log of ${(large / 1e6).toFixed(0)} MB until it is found: ${ms.toFixed(0)} ms (target 150)`,
  );
}

function search(step, logs, home) {
  const queries = ['EADDRINUSE', 'Cannot find module', 'error', 'the user wants', 'zzz-not-there'];
  const ours = step('search', home, ...queries).result;
  const rg = createRequire(import.meta.url)('@vscode/ripgrep').rgPath;
  for (const [index, query] of queries.entries()) {
    const started = performance.now();
    spawnSync(rg, ['-i', '-F', '-c', '--no-ignore', query, logs], { stdio: 'ignore' });
    const theirs = performance.now() - started;
    const { first, hits } = ours[index];
    console.log(
      `S3 "${query}": first page ${first.toFixed(1)} ms (target 50), ripgrep ${theirs.toFixed(0)} ms: ${(theirs / first).toFixed(0)} × (target 10), ${hits} hits on it`,
    );
  }
  console.log('   command: rg -i -F -c --no-ignore QUERY LOGS');
}

/** Costs grow with the answer, not with the corpus. */
function growth(step, source, work) {
  const lines = [1, 2, 4].map((times) => {
    const logs = join(work, `growth-${times}`);
    const home = join(work, `growth-home-${times}`);
    multiply(source, logs, times * MB * 1e6 * 0.05);
    step('read', logs, home);
    const [{ first }] = step('search', home, 'Cannot find module').result;
    return `${times}× ${first.toFixed(1)} ms`;
  });
  console.log(`growth: first page of a search over ${lines.join(', ')}`);
}
