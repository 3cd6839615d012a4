// A folder of many repositories, searched as one: index size, time and memory of all processes, searches, one edit.
// PINHOLE_MANY names the folder; bench/many/material.mjs makes one. Wall times only mean something on a quiet machine;
// CPU times hold under load too. PINHOLE_MANY_HOME keeps the data folder between runs.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildAll } from '../scripts/build.mjs';
import { ProcessMeter } from './many/process-meter.mjs';
import { freePort, pause, record, start } from './soak-process.mjs';

const TARGETS = { building: 600, answering: 700, edit: 50, small: 2 };
const QUESTIONS = 30;
const EDITS = 20;
const SMALL_FILES = { least: 20, most: 200 };
const POLL_MS = 1_000;
/** CPU time per second of processes that only wait. */
const IDLE_CPU_SECONDS = 0.02;
const PHRASES = [
  'where is the request retried after a failure',
  'parse command line flags',
  'close idle connections of the pool',
  'validate a schema and collect the errors',
  'serialize a date as JSON',
  'read the configuration file from the home folder',
  'schedule a task on another thread',
  'escape HTML in a template',
  'cache of compiled patterns',
  'handle a cancelled context',
];

export async function run() {
  const root = realpathSync(process.env.PINHOLE_MANY ?? fail('set PINHOLE_MANY to a folder of repositories'));
  await buildAll({ tolerant: true });
  const repositories = repositoriesIn(root);
  const size = sizeOf(root);
  console.log('command: PINHOLE_MANY=FOLDER npm run bench -- many');
  console.log(
    `${repositories.length} repositories, ${size.files} files, ${size.folders} folders, ${(size.bytes / 1e9).toFixed(2)} GB, load ${loadavg()[0].toFixed(1)}`,
  );
  const base = mkdtempSync(join(tmpdir(), 'pinhole-many-'));
  const home = process.env.PINHOLE_MANY_HOME ?? join(base, 'home');
  const port = await freePort();
  const env = { ...process.env, HOME: base, PINHOLE_HOME: home, PINHOLE_PORT: String(port) };
  const { child, pid } = await start({ home, tree: root, port, env });
  const meter = new ProcessMeter(pid);
  const place = { home, port, root };
  try {
    await firstAnswers(place, repositories, meter);
    await build(place, meter, size);
    const samples = await drawNames(repositories);
    await searches(place, meter, samples);
    await edits(place, meter, repositories);
    console.log(
      `answering: at most ${mb(meter.peak)} of all processes (target ${TARGETS.answering} MB); now ${mb(meter.now())}`,
    );
  } finally {
    meter.stop();
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(base, { recursive: true, force: true });
  }
}

/** A search in a small repository while the whole folder is read for the first time, for a search just before. */
async function firstAnswers(place, repositories, meter) {
  const small =
    repositories.find((one) => {
      const { files } = sizeOf(one);
      return files >= SMALL_FILES.least && files <= SMALL_FILES.most;
    }) ?? fail(`no repository has ${SMALL_FILES.least} to ${SMALL_FILES.most} files`);
  const whole = [
    search(place, { mode: 'regex', pattern: 'zq_no_such_name' }),
    search(place, { mode: 'hybrid', query: PHRASES[0] }),
  ];
  const { file, name } = rarestName(small);
  for (const [mode, input] of [
    ['regex', { pattern: `\\b${name}\\b` }],
    ['hybrid', { query: name }],
  ]) {
    const time = meter.watch();
    for (;;) {
      const answer = await search(place, { mode, ...input, path: small });
      const isRight = JSON.stringify(answer.data ?? '').includes(relative(small, file));
      if (isRight && answer.meta?.index?.fresh !== false) break;
      if (time().seconds > 120) break;
      await pause(50);
    }
    const { seconds, cpu } = time();
    console.log(
      `small repository while the folder is read: ${mode} right after ${seconds.toFixed(1)} s (CPU ${cpu.toFixed(1)} s; target ${TARGETS.small} s)`,
    );
  }
  const time = meter.watch();
  await Promise.allSettled(whole);
  console.log(`first answers over the whole folder: ${time().seconds.toFixed(1)} s later`);
}

/** Waits until all three indexes have every file. */
async function build(place, meter, size) {
  const time = meter.watch();
  const { data: started } = await call(place, '/api/indexes', {
    method: 'POST',
    body: JSON.stringify({ root: place.root, what: 'code' }),
  });
  let answer;
  for (let said = 0; ; ) {
    answer = await search(place, { mode: 'hybrid', query: PHRASES[1] });
    if (answer.meta !== undefined && answer.meta.indexing === undefined && answer.meta.index?.fresh !== false)
      break;
    if (time().seconds - said > 60) {
      said = time().seconds;
      console.log(`  ${said.toFixed(0)} s: ${JSON.stringify(answer.meta?.indexing)}, ${mb(meter.peak)}`);
    }
    await pause(POLL_MS);
  }
  console.log(
    `searches see every file after ${time().seconds.toFixed(0)} s (CPU ${time().cpu.toFixed(0)} s); at most ${mb(meter.peak)}`,
  );
  for (;;) {
    const { data: job } = await call(place, `/api/jobs/${started.job_id}`);
    if (job.status !== 'running' && job.status !== 'queued') break;
    await pause(POLL_MS);
  }
  const { seconds, cpu } = time();
  const index = bytesOf(join(place.home, 'code'));
  console.log(
    `whole index: ${seconds.toFixed(0)} s (CPU ${cpu.toFixed(0)} s), ${(index / 1e9).toFixed(2)} GB, ${((100 * index) / size.bytes).toFixed(0)} % of the text; at most ${mb(meter.peak)} of all processes (target ${TARGETS.building} MB)`,
  );
  meter.reset();
}

async function searches(place, meter, names) {
  const questions = names.map((name, at) => `${PHRASES[at % PHRASES.length]} ${name}`);
  for (const [mode, inputs] of [
    ['regex', names.map((name) => ({ pattern: `\\b${name}\\b` }))],
    ['hybrid', questions.map((query) => ({ query }))],
  ]) {
    const walls = [];
    const cpus = [];
    for (const input of inputs) {
      const time = meter.watch();
      await search(place, { mode, ...input });
      const { seconds, cpu } = time();
      walls.push(seconds * 1000);
      cpus.push(cpu * 1000);
    }
    console.log(
      `${mode}: p50 ${at(walls, 0.5)} ms, p95 ${at(walls, 0.95)} ms; CPU p50 ${at(cpus, 0.5)} ms, p95 ${at(cpus, 0.95)} ms`,
    );
  }
}

async function edits(place, meter, repositories) {
  const file = join(repositories[Math.floor(repositories.length / 2)], 'edited_by_bench.ts');
  try {
    for (const [mode, input] of [
      ['regex', (round) => ({ pattern: `editedByBench${round}x` })],
      ['hybrid', (round) => ({ query: `editedByBench${round}x` })],
    ]) {
      const still = await cpuOf(meter, (round) => search(place, { mode, ...input(`${round}none`) }));
      let right = 0;
      const edited = await cpuOf(meter, async (round) => {
        writeFileSync(file, `export function editedByBench${round}x() {}\n`);
        const { data } = await search(place, { mode, ...input(round) });
        if (JSON.stringify(data ?? '').includes('edited_by_bench')) right++;
      });
      console.log(
        `edit, then ${mode}: ${edited.toFixed(0)} ms of CPU time, ${(edited - still).toFixed(0)} more than without (mean of ${EDITS}; target ${TARGETS.edit} ms); found ${right} of ${EDITS}`,
      );
    }
  } finally {
    rmSync(file, { force: true });
  }
}

/** Mean CPU time of a round in milliseconds, with what goes on in the background after it. */
async function cpuOf(meter, work) {
  await settled(meter);
  const time = meter.watch();
  for (let round = 0; round < EDITS; round++) await work(round);
  await settled(meter);
  return (time().cpu * 1000) / EDITS;
}

/** Waits until the processes have nothing to do. */
async function settled(meter) {
  for (;;) {
    const time = meter.watch();
    await pause(POLL_MS);
    if (time().cpu <= IDLE_CPU_SECONDS) return;
  }
}

/** The longest name in a repository: it occurs in few files, so that its own file is on the first page. */
function rarestName(folder) {
  return sourceFiles(folder)
    .filter((path) => !relative(folder, path).startsWith('.'))
    .flatMap((file) => namesIn(readFileSync(file, 'utf8')).map((name) => ({ file, name })))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

/** Compound names from files across the folder. */
async function drawNames(repositories) {
  const names = [];
  for (let at = 0; names.length < QUESTIONS; at++) {
    const one = repositories[Math.floor((at * repositories.length) / QUESTIONS) % repositories.length];
    const files = sourceFiles(one);
    const file = files[(at * 7) % Math.max(1, files.length)];
    const found = file === undefined ? [] : namesIn(readFileSync(file, 'utf8'));
    names.push(found[at % Math.max(1, found.length)] ?? `noName${at}`);
  }
  return names;
}

const namesIn = (text) => [...new Set(text.match(/\b[a-z]+(?:[A-Z]|_[a-z])\w{5,}\b/g) ?? ['function'])];

function sourceFiles(folder) {
  const out = execFileSync('git', ['-C', folder, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 1 << 27 });
  return out
    .split('\0')
    .filter((path) =>
      /\.(ts|js|py|go|rs|rb|php|java|kt|c|h|cc|cpp|cs|swift|scala|ex|hs|lua|zig|sh)$/.test(path),
    )
    .map((path) => join(folder, path))
    .filter((path) => existsSync(path));
}

function repositoriesIn(root) {
  return readdirSync(root, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .flatMap(({ name }) => {
      const folder = join(root, name);
      if (existsSync(join(folder, '.git'))) return [folder];
      return readdirSync(folder)
        .map((below) => join(folder, below))
        .filter((below) => existsSync(join(below, '.git')));
    });
}

function sizeOf(folder) {
  const size = { files: 0, folders: 0, bytes: 0 };
  const out = execFileSync('find', [folder, '-name', '.git', '-prune', '-o', '-printf', '%y %s\n'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  for (const line of out.split('\n')) {
    if (line.startsWith('f ')) {
      size.files++;
      size.bytes += Number(line.slice(2));
    } else if (line.startsWith('d ')) size.folders++;
  }
  return size;
}

const bytesOf = (folder) => Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0]);

const search = ({ root, ...place }, input) =>
  call(place, `/api/code/search?${new URLSearchParams({ path: root, ...input })}`);

async function call({ home, port }, path, init = {}) {
  const headers = { authorization: `Bearer ${record(home)?.token}`, 'content-type': 'application/json' };
  const ask = () => fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
  // A busy server may close a connection just when it is used again.
  const response = await ask().catch(ask);
  const body = await response.json();
  if (!response.ok)
    console.log(`  ${path.slice(0, 80)}: ${response.status} ${JSON.stringify(body).slice(0, 200)}`);
  return body;
}

const at = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))].toFixed(0);
const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
function fail(text) {
  throw new Error(text);
}
