// From spawn to the tool list and to the first answer, and the bridge's memory, compared with the reference file-system server.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './source.mjs';

const PEER = '@modelcontextprotocol/server-filesystem';
const TARGETS = { warm: 300, cold: 900, memory: 80 };
const MAIN = join(root, 'dist', 'main.js');

/** Servers take turns, so that other work on the machine affects all of them alike. */
export async function run({ runs = Number(process.env.BENCH_RUNS ?? 20) } = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-startup-')));
  const tree = join(base, 'tree');
  mkdirSync(tree);
  for (let n = 0; n < 100; n++) writeFileSync(join(tree, `file-${n}.txt`), 'x'.repeat(n));
  const peer = installPeer(join(base, 'peer'));
  const warmHome = join(base, 'warm');
  const contestants = {
    warm: () => measure([MAIN, 'mcp'], tree, pinholeEnv(warmHome), cd(tree)),
    cold: async (n) => {
      const env = pinholeEnv(join(base, `cold-${n}`));
      const figures = await measure([MAIN, 'mcp'], tree, env, cd(tree));
      stopPinhole(env);
      return figures;
    },
    bare: measureBare,
    peer: () =>
      measure([peer.bin, tree], tree, process.env, { name: 'list_directory', arguments: { path: tree } }),
  };

  console.log(`command: npm run bench -- startup   (${runs} runs of each, in turn)`);
  console.log(
    `warm, cold: node dist/main.js mcp   (with the background process up; with none and no data folder)`,
  );
  console.log(`peer: node ${PEER}@${peer.version} TREE`);
  console.log(
    'bare: node -e 0, to its end: what no server in Node can go below, and how busy the machine is',
  );
  await contestants.warm();
  const results = { warm: [], cold: [], peer: [], bare: [] };
  for (let n = 0; n < runs; n++) {
    for (const [name, once] of Object.entries(contestants)) results[name].push(await once(n));
  }
  stopPinhole(pinholeEnv(warmHome));
  rmSync(base, { recursive: true, force: true });
  return report(results);
}

const cd = (path) => ({ name: 'cd', arguments: { path } });
const pinholeEnv = (home) => ({
  ...process.env,
  PINHOLE_HOME: home,
  PINHOLE_PORT: '0',
  PINHOLE_IDLE_SECONDS: '300',
});
const stopPinhole = (env) => execFileSync(process.execPath, [MAIN, 'stop'], { env, stdio: 'ignore' });

function installPeer(folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--silent', PEER], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const home = join(folder, 'node_modules', PEER);
  const { version, bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  return { version, bin: join(home, Object.values(bin)[0]) };
}

async function measureBare() {
  const started = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await new Promise((done) => child.once('exit', done));
  const list = performance.now() - started;
  return { list, answer: Number.NaN, cpu: Number.NaN, memory: Number.NaN };
}

/** Measures one server from its start, used as a client would: each request waits for the previous answer. */
async function measure(args, cwd, env, call) {
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (id, method, params) => {
    send({ id, method, params });
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${args.join(' ')} ended before it answered ${method}`);
      const message = JSON.parse(value);
      if (message.id !== id || message.method !== undefined) continue;
      if (message.error !== undefined || message.result.isError) throw new Error(value);
      return message.result;
    }
  };
  await ask(1, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  await ask(2, 'tools/list', {});
  const list = performance.now() - started;
  await ask(3, 'tools/call', call);
  const answer = performance.now() - started;
  const { cpu, memory } = resources(child.pid);
  child.stdin.end();
  // Not every server exits when its input ends.
  const slow = setTimeout(() => child.kill(), 2_000);
  await new Promise((done) => child.once('exit', done));
  clearTimeout(slow);
  return { list, answer, cpu, memory };
}

/** CPU time in milliseconds and peak resident megabytes; Linux only. */
function resources(pid) {
  try {
    const memory = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
    // Fields 14 and 15, in hundredths of a second; the name before them may contain spaces.
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
    return { cpu: (Number(user) + Number(system)) * 10, memory };
  } catch {
    return { cpu: Number.NaN, memory: Number.NaN };
  }
}

function report(results) {
  const rows = Object.entries(results).map(([name, runs]) => ({
    name,
    list: spread(runs.map(({ list }) => list)),
    answer: spread(runs.map(({ answer }) => answer)),
    cpu: spread(runs.map(({ cpu }) => cpu)),
    memory: spread(runs.map(({ memory }) => memory)),
  }));
  console.log('\n         tool list ms   first answer ms    processor ms   peak memory MB');
  console.log('       median     p95    median     p95    median     p95    median     p95');
  for (const { name, list, answer, cpu, memory } of rows) {
    const figures = [list, answer, cpu, memory].map(({ median, p95 }) => `${fixed(median)}${fixed(p95)}`);
    console.log(`${name.padEnd(5)}${figures.join('  ')}`);
  }
  const [warm, cold, peer] = rows;
  console.log(
    `\nwarm to peer: tool list × ${(warm.list.median / peer.list.median).toFixed(2)}, memory × ${(warm.memory.median / peer.memory.median).toFixed(2)}`,
  );
  verdict('warm tool list', warm.list.median, TARGETS.warm, 'ms');
  verdict('cold tool list', cold.list.median, TARGETS.cold, 'ms');
  verdict('memory of the bridge', warm.memory.median, TARGETS.memory, 'MB');
  return { warm, cold, peer };
}

function verdict(what, value, target, unit) {
  console.log(
    `${value <= target ? 'met   ' : 'MISSED'} ${what}: ${value.toFixed(0)} ${unit} (target ≤ ${target})`,
  );
}

function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { median: at(0.5), p95: at(0.95) };
}

const fixed = (value) => (Number.isNaN(value) ? '–' : value.toFixed(0)).padStart(8);
