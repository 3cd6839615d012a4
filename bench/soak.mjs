// 50 clients for half an hour while files change, indexes are built and the process is killed. Prints errors by cause and draws memory, descriptors and latency.
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { picture } from './soak-picture.mjs';
import { edit, freePort, makeTree, memory, pause, record, routesOf, start } from './soak-process.mjs';
import { loadSources } from './source.mjs';

const CLIENTS = 50;
const SAMPLES = 120;
const EDIT_MS = 500;
const INDEX_MS = 20_000;
/** How much the medians of two quarters may differ by chance. */
const MAX_GROWTH = 0.05;

/** Kills happen in the first half; what grows in the second half would grow forever. */
export async function run({
  minutes = Number(process.env.PINHOLE_SOAK_MINUTES ?? 30),
  kills = Number(process.env.PINHOLE_SOAK_KILLS ?? 5),
  rate = Number(process.env.PINHOLE_SOAK_RATE ?? 100),
} = {}) {
  const base = mkdtempSync(join(tmpdir(), 'pinhole-soak-'));
  const soak = {
    ...{ tree: makeTree(join(base, 'tree')), home: join(base, 'home'), port: await freePort() },
    ...{ began: Date.now(), seconds: minutes * 60, rate, calls: 0, lost: 0, errors: new Map() },
    ...{ times: [], all: [], down: true, restarts: 0, ended: false },
  };
  soak.env = { ...process.env, HOME: base, PINHOLE_HOME: soak.home, PINHOLE_PORT: String(soak.port) };
  Object.assign(soak, await start(soak));
  soak.began = Date.now();
  const work = [
    ...Array.from({ length: CLIENTS }, (_, i) => client(soak, i)),
    editor(soak),
    indexer(soak),
    killer(soak, kills),
  ];
  const samples = await sampler(soak);
  await Promise.all(work);
  const kinds = descriptorKinds(soak.pid);
  soak.child.kill('SIGTERM');
  await once(soak.child, 'exit');
  rmSync(base, { recursive: true, force: true });
  await report(soak, samples, kinds);
  return { errors: [...soak.errors.values()].reduce((sum, count) => sum + count, 0) };
}

const left = (soak) => soak.began + soak.seconds * 1000 - Date.now();
const minute = (soak) => (Date.now() - soak.began) / 60_000;

/** One call; an error is counted under its cause, unless the process was killed during the call. */
async function call(soak, name, path, init = {}) {
  const began = performance.now();
  const { restarts } = soak;
  const wasDown = soak.down;
  let problem;
  try {
    const response = await fetch(`http://127.0.0.1:${soak.port}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${record(soak.home)?.token}`, 'content-type': 'application/json' },
    });
    const text = await response.text();
    if (!response.ok) problem = `${response.status} ${JSON.parse(text).error?.message ?? text}`.slice(0, 160);
  } catch (error) {
    problem = `${error.message} ${error.cause?.code ?? error.cause?.message ?? ''}`;
  }
  soak.calls++;
  const took = performance.now() - began;
  if (problem === undefined) {
    soak.times.push(took);
    soak.all.push(took);
  } else if (wasDown || soak.down || soak.restarts !== restarts) {
    // The process was killed: Pinhole's own programs would repeat this call.
    soak.lost++;
    await pause(200);
  } else {
    const cause = `${name}: ${problem}`;
    soak.errors.set(cause, (soak.errors.get(cause) ?? 0) + 1);
  }
  return took;
}

async function client(soak, i) {
  const routes = routesOf(soak.tree, i);
  const think = (CLIENTS / soak.rate) * 1000;
  await pause((think * i) / CLIENTS);
  for (let n = i; left(soak) > 0; n++) {
    const took = await call(soak, ...routes[n % routes.length]);
    await pause(Math.max(0, think - took));
  }
}

async function editor({ tree, ...rest }) {
  for (let n = 0; left(rest) > 0; n++) {
    edit(tree, n);
    await pause(EDIT_MS);
  }
}

/** Builds disk and code indexes over and over. */
async function indexer(soak) {
  for (let n = 0; left(soak) > 0; n++) {
    const body = JSON.stringify({ root: soak.tree, what: n % 2 === 0 ? 'disk' : 'code' });
    await call(soak, 'index', '/api/indexes', { method: 'POST', body });
    await pause(Math.min(INDEX_MS, Math.max(0, left(soak))));
  }
}

async function killer(soak, kills) {
  soak.kills = [];
  soak.down = false;
  for (let n = 1; n <= kills; n++) {
    const at = soak.began + (n * soak.seconds * 1000) / (2 * kills + 1);
    await pause(Math.max(0, at - Date.now()));
    soak.down = true;
    soak.restarts++;
    soak.kills.push(minute(soak));
    const gone = once(soak.child, 'exit');
    process.kill(soak.pid, 'SIGKILL');
    await gone;
    Object.assign(soak, await start(soak));
    soak.down = false;
  }
}

async function sampler(soak) {
  const samples = [];
  for (let n = 1; n <= SAMPLES; n++) {
    await pause(Math.max(0, soak.began + (n * soak.seconds * 1000) / SAMPLES - Date.now()));
    const own = memory(soak.pid);
    const children = processesBelow(soak.pid).reduce((sum, pid) => sum + memory(pid), 0);
    const p99 = share(soak.times.splice(0), 0.99);
    if (own > 0 && !soak.down)
      samples.push({
        ...{ minute: minute(soak), own, all: own + children },
        ...{ fds: descriptors(soak.pid).length, p99 },
      });
  }
  return samples;
}

function processesBelow(pid) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)]);
  const below = (of) => parents.filter(([, parent]) => parent === of).flatMap(([id]) => [id, ...below(id)]);
  return below(pid);
}

function parentOf(pid) {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

const descriptors = (pid) => {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
};

/** How many descriptors of each kind are open, such as `socket 52, file .db 12`. */
function descriptorKinds(pid) {
  const kinds = new Map();
  for (const fd of descriptors(pid)) {
    let to = 'gone';
    try {
      to = readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      // Closed in the meantime.
    }
    const kind = to.startsWith('/')
      ? `file ${/\.[\w-]+$/.exec(to)?.[0] ?? ''}`.trim()
      : to.replace(/:?\[.*$/, '').replace('anon_inode:', '');
    kinds.set(kind || 'other', (kinds.get(kind || 'other') ?? 0) + 1);
  }
  return [...kinds]
    .sort((a, b) => b[1] - a[1])
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');
}

const share = (times, part) => {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
};
const ms = (value) => `${value.toFixed(0)} ms`;
const mb = (bytes = 0) => `${(bytes / 2 ** 20).toFixed(0)} MB`;

async function report(soak, samples, kinds) {
  const minutes = soak.seconds / 60;
  const quarter = (n) =>
    samples.filter((one) => one.minute >= (minutes * n) / 4 && one.minute < (minutes * (n + 1)) / 4 + 0.01);
  const middle = (n, field) =>
    share(
      quarter(n).map((one) => one[field]),
      0.5,
    );
  const errors = [...soak.errors].sort((a, b) => b[1] - a[1]);
  const failed = errors.reduce((sum, [, count]) => sum + count, 0);
  const lines = [
    `${minutes} minutes, ${CLIENTS} clients, ${soak.calls} calls (${Math.round(soak.calls / soak.seconds)} per second), ${soak.kills.length} kills: ${failed} errors, ${soak.lost} calls cut off by kills.`,
    `Latency: p50 ${ms(share(soak.all, 0.5))}, p99 ${ms(share(soak.all, 0.99))}.`,
    `Median of the third and the last quarter, without kills: memory of the background process ${mb(middle(2, 'own'))} and ${mb(middle(3, 'own'))}, of all processes ${mb(middle(2, 'all'))} and ${mb(middle(3, 'all'))}; descriptors ${middle(2, 'fds')} and ${middle(3, 'fds')}.`,
    `Descriptors at the end: ${kinds}.`,
    ...errors.slice(0, 10).map(([cause, count]) => `${count} × ${cause}`),
  ];
  const command = `PINHOLE_SOAK_MINUTES=${minutes} PINHOLE_SOAK_KILLS=${soak.kills.length} PINHOLE_SOAK_RATE=${soak.rate} npm run soak`;
  console.log([`command: ${command}`, ...lines].join('\n'));
  const grew = middle(3, 'all') / middle(2, 'all') - 1;
  if (failed > 0 || grew > MAX_GROWTH) {
    console.error(`Not held: ${failed} errors, memory grew by ${(grew * 100).toFixed(1)} %.`);
    process.exitCode = 1;
  }
  mkdirSync('docs/images', { recursive: true });
  writeFileSync('docs/images/soak.svg', picture(samples, soak.kills, lines[0]));
  const { readKept, writeKept } = await loadSources('reliability', ['test/reliability/document']);
  const day = new Date().toISOString().slice(0, 10);
  const written = [
    `On ${day}: \`${command}\``,
    ...lines,
    '![memory, descriptors and latency over the run](images/soak.svg)',
  ];
  writeKept({ ...readKept(), soak: written });
  console.log('written: docs/images/soak.svg, docs/reliability.md');
}
