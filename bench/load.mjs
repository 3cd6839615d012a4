// 50 clients at once, half over REST and half over MCP, mixed calls, against one background process.
// Prints calls, errors, latency and its memory at the start and at the end.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const CLIENTS = 50;
/** A person or an agent thinks between calls; without this one machine would only measure itself. */
const PAUSE_MS = Number(process.env.BENCH_PAUSE ?? 100);
/** `disk`: cd and inspect alone; else searches in code and lists of sessions, too. */
const DISK_ONLY = process.env.BENCH_MIX === 'disk';

export async function run({ seconds = Number(process.env.BENCH_SECONDS ?? 60) } = {}) {
  const base = mkdtempSync(join(tmpdir(), 'pinhole-load-'));
  const tree = makeTree(join(base, 'tree'));
  const pinhole = await startPinhole(join(base, 'home'), tree);
  console.log(
    `command: npm run bench -- load   (${CLIENTS} clients, ${seconds} s, pause ${PAUSE_MS} ms, ${DISK_ONLY ? 'disk only' : 'all subjects'})`,
  );
  const readings = [memory(pinhole.pid)];
  const meter = setInterval(() => readings.push(memory(pinhole.pid)), (seconds * 1000) / 4);
  const end = Date.now() + seconds * 1000;
  const results = await Promise.all(
    Array.from({ length: CLIENTS }, (_, i) =>
      i % 2 === 0 ? restClient(pinhole, tree, i, end) : mcpClient(pinhole, tree, i, end),
    ),
  );
  clearInterval(meter);
  readings.push(memory(pinhole.pid));
  const times = results.flatMap(({ ms }) => ms).sort((a, b) => a - b);
  const errors = results.flatMap(({ failed }) => failed);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(1);
  console.log(
    `calls ${times.length} (${Math.round(times.length / seconds)} a second), errors ${errors.length}`,
  );
  console.log(
    `latency ms: p50 ${at(0.5)}  p95 ${at(0.95)}  p99 ${at(0.99)}  max ${at(1)}   (target p99 <= 250)`,
  );
  console.log(`memory MB over the run: ${readings.map(mb).join(', ')}`);
  for (const error of errors.slice(0, 3)) console.log(`  ${error}`);
  pinhole.child.kill();
  await new Promise((done) => pinhole.child.once('exit', done));
  rmSync(base, { recursive: true, force: true });
  return { errors: errors.length, p99: Number(at(0.99)) };
}

function makeTree(root) {
  for (let d = 0; d < 50; d++) {
    mkdirSync(join(root, `dir${d}`), { recursive: true });
    for (let f = 0; f < 40; f++)
      writeFileSync(join(root, `dir${d}`, `file${f}.ts`), `export const value${f} = ${d * f};\n`.repeat(f));
  }
  return root;
}

async function startPinhole(home, tree) {
  const child = spawn(process.execPath, [resolve('dist/main.js'), 'start', tree, '--port', '0'], {
    env: { ...process.env, PINHOLE_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  // Measured when the indexes stand: building them is another bench.
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
  return { child, url, headers, pid };
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Calls every client makes in turn. */
const calls = (tree, i) => [...diskCalls(tree, i), ...(DISK_ONLY ? [] : otherCalls(tree, i))];

const diskCalls = (tree, i) => [
  [
    'cd',
    { path: join(tree, `dir${i % 50}`) },
    `/api/cd?path=${encodeURIComponent(join(tree, `dir${i % 50}`))}`,
  ],
  [
    'inspect',
    { path: join(tree, `dir${i % 50}`, 'file7.ts') },
    `/api/files/inspect?path=${encodeURIComponent(join(tree, `dir${i % 50}`, 'file7.ts'))}`,
  ],
  ['cd', { path: tree, limit: 100 }, `/api/cd?path=${encodeURIComponent(tree)}&limit=100`],
];

const otherCalls = (tree, i) => [
  [
    'regex_search',
    { pattern: `value${i % 40} = \\d+`, path: tree },
    `/api/code/search?mode=regex&q=${encodeURIComponent(`value${i % 40} = \\d+`)}&path=${encodeURIComponent(tree)}`,
  ],
  [
    'hybrid_search',
    { query: `export of value ${i % 40}`, path: tree },
    `/api/code/search?mode=hybrid&q=${encodeURIComponent(`export of value ${i % 40}`)}&path=${encodeURIComponent(tree)}`,
  ],
  ['list_sessions', {}, '/api/agent-sessions'],
];

/** Each client begins elsewhere in the round and thinks for a time of its own: they are no choir. */
async function loop(end, steps, first) {
  await pause((PAUSE_MS * first) / CLIENTS);
  const ms = [];
  const failed = [];
  for (let n = first; Date.now() < end; n++) {
    const started = performance.now();
    const problem = await steps[n % steps.length]().catch((error) => String(error));
    ms.push(performance.now() - started);
    if (problem) failed.push(problem);
    await pause(PAUSE_MS * (0.5 + ((n * 37 + first * 11) % 100) / 100));
  }
  return { ms, failed };
}

function restClient({ url, headers }, tree, i, end) {
  const steps = calls(tree, i).map(([, , path]) => async () => {
    const response = await fetch(url + path, { headers: { ...headers, 'x-pinhole-client': `bench ${i}` } });
    const text = await response.text();
    return response.ok ? undefined : text;
  });
  return loop(end, steps, i);
}

async function mcpClient({ url, headers }, tree, i, end) {
  const client = new Client({ name: `bench-${i}`, version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  const steps = calls(tree, i).map(([name, input]) => async () => {
    const result = await client.callTool({ name, arguments: input });
    return result.isError ? result.content[0].text : undefined;
  });
  const outcome = await loop(end, steps, i);
  await client.close();
  return outcome;
}

const memory = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
const mb = (kb) => (kb / 1024).toFixed(0);
