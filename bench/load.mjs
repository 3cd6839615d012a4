// 50 clients, half over REST and half over MCP, mixed calls: latency at 300 calls per second, peak throughput, and what a call costs.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCaller } from './load/caller.mjs';
import { callMaker } from './load/calls.mjs';
import { costPhase, fullPhase, openPhase, problemsOf } from './load/phases.mjs';
import { readSources } from './load/sources.mjs';
import { writeSessions } from './page/many-sessions.mjs';
import { memory, pause } from './soak-process.mjs';
import { root } from './source.mjs';

const CLIENTS = 50;
const SESSIONS = 200;
/** Calls per second, sent whether or not earlier ones were answered. */
const RATE = Number(process.env.BENCH_RATE ?? 300);
const FULL_SECONDS = Number(process.env.BENCH_FULL_SECONDS ?? 15);
/** More calls per second than two cores can answer. */
const MAX_RATE = 600;
/** How many calls of each kind are made without calls of other kinds, to see what they cost. */
const ALONE = Number(process.env.BENCH_ALONE ?? 240);
/** `disk`: only cd and inspect; otherwise also code searches and lists of sessions. */
const KINDS = ['cd', 'inspect', 'cd of 100', 'regex_search', 'hybrid_search', 'list_sessions'].slice(
  0,
  process.env.BENCH_MIX === 'disk' ? 3 : undefined,
);
const TARGET_MS = 250;
const MAX_SETTLE_SECONDS = 120;

export async function run({ seconds = Number(process.env.BENCH_SECONDS ?? 60) } = {}) {
  const base = mkdtempSync(join(tmpdir(), 'pinhole-load-'));
  const tree = join(base, 'tree');
  cpSync(join(root, 'src'), join(tree, 'src'), { recursive: true });
  const titles = planSessions(join(base, 'user'));
  const sources = readSources(tree);
  const { alone: ofKind, next } = planCalls(callMaker(sources, titles), seconds);
  const pinhole = await startPinhole(base, tree);
  console.log(`command: npm run bench -- load   (${CLIENTS} clients, ${KINDS.join(', ')} in turn)`);
  console.log(
    `asked about: ${sources.files.size} files of src/ and ${SESSIONS} sessions; every pattern and question once`,
  );
  const callers = Array.from({ length: CLIENTS }, (_, i) =>
    createCaller(pinhole, i % 2 === 0 ? 'rest' : 'mcp', i),
  );
  for (const caller of callers) await caller.connect();
  const meter = createMeter(pinhole.pid);
  await settled(pinhole.pid);
  const alone = new Map();
  for (const [kind, calls] of ofKind) {
    // The first calls compile the program and parse files; this happens once.
    await costPhase(callers.slice(0, 4), calls.splice(0, ALONE));
    alone.set(kind, await meter.during(() => costPhase(callers.slice(0, 4), calls)));
  }
  const open = await meter.during(() => openPhase(callers, next, { rate: RATE, seconds }));
  const full = await meter.during(() => fullPhase(callers, next, { seconds: FULL_SECONDS }));
  for (const caller of callers) caller.close();
  pinhole.child.kill();
  await new Promise((done) => pinhole.child.once('exit', done));
  rmSync(base, { recursive: true, force: true });

  printCosts(alone);
  const times = open.done.map(({ ms }) => ms);
  console.log(
    `${RATE} calls a second for ${seconds} s: ${open.done.length} calls, ${figures(times)}   (target p99 <= ${TARGET_MS})`,
  );
  for (const kind of KINDS)
    console.log(`  ${kind.padEnd(14)} ${figures(open.done.filter(isOf(kind)).map(({ ms }) => ms))}`);
  console.log(`  sent late by the clients: ${figures(open.done.map(({ late }) => late))}; ${costs(open)}`);
  console.log(
    `as many as it can: ${Math.round(full.done.length / FULL_SECONDS)} calls a second, ${figures(full.done.map(({ ms }) => ms))}; ${costs(full)}`,
  );
  console.log(
    `memory MB at the end of each part: ${meter.readings.map(mb).join(', ')}; most ${mb(meter.most())}`,
  );
  const all = [...alone.values(), open, full].flatMap(({ done }) => done);
  const { problems, asked, found } = problemsOf(all);
  if (asked > 0)
    console.log(`questions made from a comment whose file was among the ten answers: ${found} of ${asked}`);
  console.log(`wrong answers and errors: ${problems.length} of ${all.length}`);
  for (const problem of problems.slice(0, 5)) console.log(`  ${problem}`);
  return { errors: problems.length, p99: share(times, 0.99) };
}

/** Calls are prepared in advance: working out the right answers costs more than asking. */
function planCalls(make, seconds) {
  const alone = new Map(KINDS.map((kind) => [kind, Array.from({ length: 2 * ALONE }, make[kind])]));
  let turn = 0;
  const made = () => make[KINDS[turn++ % KINDS.length]]();
  const ready = Array.from({ length: Math.ceil(RATE * seconds * 1.1 + MAX_RATE * FULL_SECONDS) }, made);
  return { alone, next: () => ready.pop() ?? made() };
}

/** Both kinds of folder call use `cd`; only the root of the sources is asked for with a limit. */
const isOf = (kind) => (result) =>
  kind === 'cd of 100'
    ? result.call.input.limit !== undefined
    : result.call.tool === kind && result.call.input.limit === undefined;

function planSessions(user) {
  mkdirSync(user, { recursive: true });
  writeSessions(join(user, '.claude'), SESSIONS, 1_000_000);
  return Array.from({ length: SESSIONS }, (_, i) => `ticket ${i}`);
}

async function startPinhole(base, tree) {
  const home = join(base, 'home');
  const child = spawn(process.execPath, [join(root, 'dist/main.js'), 'start', tree, '--port', '0'], {
    env: { ...process.env, HOME: join(base, 'user'), PINHOLE_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  // Measure only once the indexes exist: building them is another bench.
  await new Promise((done) => {
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('code index of')) done();
    });
  });
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)[0];
  const { token, pid } = JSON.parse(readFileSync(join(home, 'background.json'), 'utf8'));
  const headers = { authorization: `Bearer ${token}` };
  while ((await (await fetch(`${url}/api/health`, { headers })).json()).data.jobs_running) await pause(200);
  return { child, url, token, pid };
}

/** Resolves when the server has no background work left, such as rereading files by their syntax. */
async function settled(pid) {
  for (let seconds = 0; seconds < MAX_SETTLE_SECONDS; seconds++) {
    const before = cpuMs(pid);
    await pause(1000);
    if (cpuMs(pid) - before < 50) return;
  }
}

/** CPU time of both sides, and the server's memory. */
function createMeter(pid) {
  const readings = [memory(pid)];
  let most = 0;
  const look = () => {
    most = Math.max(most, memory(pid));
  };
  return {
    readings,
    most: () => most,
    async during(phase) {
      const timer = setInterval(look, 250);
      const server = cpuMs(pid);
      const client = process.cpuUsage();
      const began = performance.now();
      const done = await phase();
      const { user, system } = process.cpuUsage(client);
      clearInterval(timer);
      look();
      readings.push(memory(pid));
      return {
        done,
        server: cpuMs(pid) - server,
        client: (user + system) / 1000,
        ms: performance.now() - began,
      };
    },
  };
}

/** CPU time of a process, its threads and its ended children. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10;
}

function printCosts(alone) {
  console.log(`CPU time per call, ${ALONE} calls of each kind alone: server, client`);
  for (const [kind, { done, server, client }] of alone)
    console.log(
      `  ${kind.padEnd(14)} ${(server / done.length).toFixed(2)} ms, ${(client / done.length).toFixed(2)} ms`,
    );
}

const costs = ({ done, server, client, ms }) =>
  `CPU per call: server ${(server / done.length).toFixed(2)} ms, client ${(client / done.length).toFixed(2)} ms; cores busy: server ${(server / ms).toFixed(2)}, client ${(client / ms).toFixed(2)}`;

function figures(values) {
  return `p50 ${share(values, 0.5).toFixed(1)}  p95 ${share(values, 0.95).toFixed(1)}  p99 ${share(values, 0.99).toFixed(1)}  max ${share(values, 1).toFixed(1)} ms`;
}

function share(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

const mb = (bytes) => (bytes / 2 ** 20).toFixed(0);
