// Sessions: reading logs compared with ccusage, an append to a large log, search compared with ripgrep.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { multiply } from './sessions-material.mjs';
import { buildEntry, root } from './source.mjs';

const CCUSAGE = 'ccusage@20.0.24';
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
    usageCommands(logs, work);
    growth(step, source, work);
    append(step, source, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Builds bench/sessions-entry.ts; returns a function that runs one of its steps in its own process. */
export async function steps() {
  const outfile = await buildEntry('sessions-entry');
  // As the background process runs.
  const { flags, env } = lastLine(
    execFileSync(process.execPath, [outfile, 'settings'], { encoding: 'utf8' }),
  );
  return (...args) => {
    const started = performance.now();
    const out = execFileSync(process.execPath, [...flags, outfile, ...args], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return { wall: performance.now() - started, result: lastLine(out) };
  };
}

function lastLine(text) {
  return JSON.parse(text.trim().split('\n').at(-1));
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

/** The commands that people type, with an empty data folder and then again, compared with ccusage; all CPU time counts. */
function usageCommands(logs, work) {
  const tool = join(work, 'ccusage');
  mkdirSync(tool, { recursive: true });
  writeFileSync(join(tool, 'package.json'), '{"private":true}');
  const installed = spawnSync('npm', ['install', '--silent', CCUSAGE], { cwd: tool }).status === 0;
  const user = join(work, 'user');
  for (const [from, to] of [
    ['claude_code', '.claude/projects'],
    ['codex', '.codex/sessions'],
    ['gemini', '.gemini/tmp'],
  ])
    cpSync(join(logs, from), join(user, to), { recursive: true });
  const env = { ...process.env, HOME: user, PINHOLE_HOME: join(work, 'usage-data'), PINHOLE_PORT: '0' };
  const main = join(root, 'dist/main.js');
  /** Runs a command as people type it; the shell reports its time, including threads and children. */
  const run = (command, ...args) => {
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-c', 'TIMEFORMAT="@@%R %U %S"; time "$@"', 'bash', command, ...args],
      {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        env,
      },
    );
    const [wall, user, system] = stderr.split('@@').at(-1).trim().split(' ').map(Number);
    return { stdout, wall, cpu: user + system };
  };
  const ours = ['sessions', 'usage', '--json'];
  const total = (text) => JSON.parse(text).data.usage.reduce((sum, row) => sum + row.total, 0);
  const cold = run(process.execPath, main, ...ours);
  console.log(
    `S1 \`pinhole sessions usage\`, nothing read yet: ${cold.wall.toFixed(1)} s, ${cold.cpu.toFixed(1)} s of a processor, ${total(cold.stdout)} tokens`,
  );
  run(process.execPath, main, 'stop');
  if (installed) {
    const theirs = run(join(tool, 'node_modules/.bin/ccusage'), 'daily', '--json', '--offline');
    console.log(
      `   \`ccusage daily\` (${CCUSAGE}): ${theirs.wall.toFixed(1)} s, ${theirs.cpu.toFixed(1)} s of a processor, ${JSON.parse(theirs.stdout || '{}').totals?.totalTokens} tokens: ${(cold.wall / theirs.wall).toFixed(1)} × its time, ${(cold.cpu / theirs.cpu).toFixed(1)} × its processor time (target 2)`,
    );
  } else console.log(`   ${CCUSAGE} could not be installed`);
  run(process.execPath, main, 'index', '--what', 'sessions', '--wait');
  const again = [1, 2, 3, 4, 5]
    .map(() => run(process.execPath, main, ...ours))
    .sort((x, y) => x.wall - y.wall)[2];
  const bare = [1, 2, 3, 4, 5].map(() => run(process.execPath, '-e', '0')).sort((x, y) => x.wall - y.wall)[2];
  const { calls } = JSON.parse(
    run(process.execPath, main, 'audit', '--operation', 'usage', '--json').stdout,
  ).data;
  console.log(
    `S1 the same once everything is read: ${(again.wall * 1000).toFixed(0)} ms, of which Node.js needs ${(bare.wall * 1000).toFixed(0)} to start; ${calls[0].ms} ms of it in the background process (target 50), ${total(again.stdout)} tokens`,
  );
  run(process.execPath, main, 'stop');
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
