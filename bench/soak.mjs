// 50 clients for half an hour while files change and the process is killed: memory, descriptors and latency as a picture.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const CLIENTS = 50;
const CALLS_PER_SECOND = 300;
const SAMPLES = 120;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export async function run({
  minutes = Number(process.env.PINHOLE_SOAK_MINUTES ?? 30),
  kills = Number(process.env.PINHOLE_SOAK_KILLS ?? 5),
  folder = process.env.PINHOLE_SOAK_FOLDER ?? 'docs/images',
} = {}) {
  const base = mkdtempSync(join(tmpdir(), 'pinhole-soak-'));
  const tree = join(base, 'tree');
  const home = join(base, 'home');
  for (let n = 0; n < 2000; n++) {
    mkdirSync(join(tree, `dir${n % 50}`), { recursive: true });
    writeFileSync(
      join(tree, `dir${n % 50}`, `file${n}.ts`),
      `export const value${n} = ${n};\n`.repeat(n % 40),
    );
  }
  const port = await freePort();
  const env = { ...process.env, HOME: base, PINHOLE_HOME: home, PINHOLE_PORT: String(port) };
  let child = await start(env, home, tree, port);
  const seconds = minutes * 60;
  const end = Date.now() + seconds * 1000;
  const state = { calls: 0, failed: 0, lost: 0, times: [], all: [], down: true };
  state.down = false;
  const headers = () => ({ authorization: `Bearer ${tokenOf(home)}` });
  const clients = Array.from({ length: CLIENTS }, (_, i) => client(i, tree, port, headers, end, state));
  const samples = [];
  const every = (seconds * 1000) / SAMPLES;
  let killed = 0;
  for (let n = 0; Date.now() < end; n++) {
    await pause(every);
    writeFileSync(
      join(tree, `dir${n % 50}`, `file${(n * 37) % 2000}.ts`),
      `export const edited${n} = ${n};\n`,
    );
    samples.push({
      rss: memory(child.pid),
      fds: descriptors(child.pid),
      p99: share(state.times.splice(0), 0.99),
    });
    if (killed < kills && n > 0 && n % Math.floor(SAMPLES / (kills + 1)) === 0) {
      killed++;
      state.down = true;
      child.kill('SIGKILL');
      await once(child, 'exit');
      child = await start(env, home, tree, port);
      state.down = false;
    }
  }
  await Promise.all(clients);
  child.kill('SIGKILL');
  await once(child, 'exit');
  rmSync(base, { recursive: true, force: true });
  const rate = Math.round(state.calls / seconds);
  const summary = `${minutes} minutes, ${CLIENTS} clients, ${state.calls} calls (${rate} per second), ${killed} kills: ${state.failed} errors, ${state.lost} calls lost to kills; p50 ${ms(share(state.all, 0.5))}, p99 ${ms(share(state.all, 0.99))} (target 250 ms at ${CALLS_PER_SECOND} per second); memory ${mb(samples[0]?.rss)} at first, ${mb(samples.at(-1)?.rss)} at last; descriptors ${samples[0]?.fds} and ${samples.at(-1)?.fds}.`;
  console.log(`command: PINHOLE_SOAK_MINUTES=${minutes} npm run soak`);
  console.log(summary);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'soak.svg');
  writeFileSync(file, picture(samples, summary));
  console.log(`picture: ${file}`);
  return { errors: state.failed };
}

async function start(env, home, tree, port) {
  const child = spawn(process.execPath, [resolve('dist/main.js'), 'start', tree, '--port', String(port)], {
    env,
    stdio: 'ignore',
  });
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (response?.ok && pidOf(home) === child.pid) return child;
    if (child.exitCode !== null) throw new Error(`pinhole start ended with ${child.exitCode}`);
    await pause(100);
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

const record = (home) => JSON.parse(readFileSync(join(home, 'background.json'), 'utf8'));
const tokenOf = (home) => record(home).token;
const pidOf = (home) => {
  try {
    return record(home).pid;
  } catch {
    return undefined;
  }
};

async function client(i, tree, port, headers, end, state) {
  const path = encodeURIComponent(join(tree, `dir${i % 50}`));
  const routes = [
    `/api/cd?path=${path}`,
    `/api/files/inspect?path=${encodeURIComponent(join(tree, `dir${i}`, `file${i}.ts`))}`,
    `/api/code/search?mode=regex&pattern=value${i}&path=${path}`,
    `/api/code/search?mode=hybrid&query=value+${i}&path=${path}`,
    '/api/agent-sessions',
    '/api/indexes',
  ];
  const think = (CLIENTS / CALLS_PER_SECOND) * 1000;
  await pause((think * i) / CLIENTS);
  for (let n = i; Date.now() < end; n++) {
    const began = performance.now();
    const down = state.down;
    try {
      const response = await fetch(`http://127.0.0.1:${port}${routes[n % routes.length]}`, {
        headers: headers(),
      });
      await response.arrayBuffer();
      if (!response.ok) state.failed++;
      const took = performance.now() - began;
      state.times.push(took);
      state.all.push(took);
    } catch {
      // Its process was killed: the callers of Pinhole's own programs repeat such a call.
      if (down || state.down) state.lost++;
      else state.failed++;
      await pause(200);
    }
    state.calls++;
    await pause(Math.max(0, think - (performance.now() - began)));
  }
}

const memory = (pid) => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};
const descriptors = (pid) => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};
const share = (times, part) => {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
};
const ms = (value) => `${value.toFixed(0)} ms`;
const mb = (bytes = 0) => `${(bytes / 2 ** 20).toFixed(0)} MB`;

/** Three curves under each other. */
function picture(samples, summary) {
  const rows = [
    ['memory', samples.map(({ rss }) => rss / 2 ** 20), 'MB'],
    ['descriptors', samples.map(({ fds }) => fds), ''],
    ['p99 latency', samples.map(({ p99 }) => p99), 'ms'],
  ];
  const parts = rows.map(([name, values, unit], row) => {
    const most = Math.max(1, ...values);
    const at = (value, n) =>
      `${(60 + (n * 680) / Math.max(1, values.length - 1)).toFixed(1)},${(130 + row * 130 - (value / most) * 90).toFixed(1)}`;
    return `<text x="60" y="${34 + row * 130}" font-weight="bold">${name}</text><text x="740" y="${34 + row * 130}" text-anchor="end">at most ${most.toFixed(0)} ${unit}</text><line x1="60" y1="${130 + row * 130}" x2="740" y2="${130 + row * 130}" stroke="#999"/><polyline fill="none" stroke="#2563eb" stroke-width="1.5" points="${values.map(at).join(' ')}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 420" font-family="sans-serif" font-size="12" role="img"><title>${summary}</title><rect width="800" height="420" fill="#fff"/>${parts.join('')}</svg>\n`;
}
