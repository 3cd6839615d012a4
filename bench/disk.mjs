// Disk (D1 to D5): first scan beside du, ncdu and gdu, memory, answers over a million files, rescan.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildAll } from '../scripts/build.mjs';
import { makeTree } from './disk-tree.mjs';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const FILES = Number(process.env.PINHOLE_BENCH_FILES ?? 1_000_000);
const ROUNDS = 3;
const PEERS = [
  { name: 'du', args: (root) => ['-s', root] },
  { name: 'ncdu', args: (root) => ['-0', '-x', '-o', '/dev/null', root] },
  { name: 'gdu', args: (root) => ['-npcx', root] },
];

export async function run() {
  const work = mkdtempSync(join(tmpdir(), 'pinhole-bench-'));
  try {
    const entry = await buildEntry();
    const tree = join(work, 'tree');
    console.log(`making a tree of ${FILES} files …`);
    const flat = makeTree(tree, FILES);
    const home = join(work, 'home');
    await firstScan(entry, home, tree);
    await sizes(entry, work, tree);
    await answers(entry, home, tree, flat);
    await changes(entry, home, tree);
    await usr(entry, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** D1, D2: peers and ours in turn, so that all see the same machine; the best of each counts. */
async function firstScan(entry, home, tree) {
  const best = new Map();
  const keep = (name, result) => {
    if (!(best.get(name)?.ms <= result.ms)) best.set(name, result);
  };
  for (const { name } of PEERS)
    if (!installed(name)) console.log(`${name} is not installed: no figure beside it`);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, args } of PEERS) if (installed(name)) keep(name, await timed(name, args(tree)));
    rmSync(home, { recursive: true, force: true });
    keep('pinhole', await step(entry, 'scan', home, tree));
  }
  const ours = best.get('pinhole');
  console.log(`\nD1, D2: first scan of ${ours.nodes} nodes, warm, best of ${ROUNDS}`);
  for (const { name, args } of PEERS) {
    const peer = best.get(name);
    if (peer === undefined) continue;
    const ratio = (ours.ms / peer.ms).toFixed(2);
    line(
      name,
      `${seconds(peer.ms)}  ${mb(peer.rss)}  pinhole/${name} ${ratio}   $ ${name} ${args('TREE').join(' ')}`,
    );
  }
  line(
    'pinhole',
    `${seconds(ours.ms)}  ${mb(ours.rss)} and ${mb(ours.scanners)} in scanners, built and saved   $ pinhole index TREE`,
  );
  line('index', `${ours.bytes_per_node.toFixed(1)} bytes a node with names`);
  compareWithDu(tree, ours);
}

/** The work grows with the tree: 1×, 2×, 4×. */
async function sizes(entry, work, tree) {
  console.log('\nthe same for a quarter, a half and the whole tree');
  for (const part of ['a/q1', 'a', '.']) {
    const { ms, nodes, rss } = await step(
      entry,
      'scan',
      join(work, `home-${part.replace('/', '-')}`),
      join(tree, part),
    );
    line(`${nodes} nodes`, `${seconds(ms)}  ${((1000 * ms) / nodes).toFixed(2)} µs a node  ${mb(rss)}`);
  }
}

/** D2 to D4. */
async function answers(entry, home, tree, flat) {
  const { loaded, rss, results } = await step(entry, 'answers', home, tree, flat);
  console.log(
    `\nD2 to D4: answers through the contract, in a process that loaded the index in ${loaded.toFixed(0)} ms`,
  );
  line('memory', mb(rss));
  for (const { label, best, median, bytes } of results) {
    line(label, `${best.toFixed(1)} ms best, ${median.toFixed(1)} median  ${bytes} bytes`);
  }
}

/** D5. */
async function changes(entry, home, tree) {
  const { quick, full, made } = await step(entry, 'changes', home, tree, '1000');
  const found = ({ added, removed, written }) =>
    `found ${added} added, ${removed} removed, ${written} written into`;
  console.log(`\nD5: rescan after ${made} changes (a third each)`);
  line(
    'by change time',
    `${seconds(quick.ms)}  ${found(quick.found)}; ${quick.unchecked} files not looked at, and said`,
  );
  line('everything', `${seconds(full.ms)}  ${found(full.found)}`);
}

/** Totals of a real tree. */
async function usr(entry, work) {
  if (!existsSync('/usr')) return;
  console.log('\n/usr');
  compareWithDu('/usr', await step(entry, 'scan', join(work, 'home-usr'), '/usr'));
}

/** Since coreutils 9.2 du counts no apparent size for folders themselves: then ours is told without them, too. */
function compareWithDu(root, { disk, size, folders }) {
  if (!installed('du')) return;
  const du = (...flags) =>
    Number(spawnSync('du', ['-sxB1', ...flags, root], { encoding: 'utf8' }).stdout.split('\t')[0]);
  const tell = (what, theirs, ours, command) =>
    line(
      `du, ${what}`,
      `${theirs} bytes, pinhole ${ours}: ${theirs === ours ? 'equal' : 'NOT EQUAL'}   $ ${command}`,
    );
  tell('allocated', du(), disk, 'du -sxB1');
  const apparent = du('--apparent-size');
  const newer = apparent === size - folders;
  tell(
    newer ? 'apparent, without folders' : 'apparent',
    apparent,
    newer ? size - folders : size,
    'du -sxB1 --apparent-size',
  );
}

/** A program's wall time and memory, its children's memory apart. */
function timed(command, args) {
  return new Promise((done, failed) => {
    const started = performance.now();
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    let rss = 0;
    let scanners = 0;
    child.stdout.setEncoding('utf8').on('data', (part) => (text += part));
    const sampler = setInterval(() => {
      rss = Math.max(rss, residentBytes(child.pid));
      scanners = Math.max(
        scanners,
        childrenOf(child.pid).reduce((sum, pid) => sum + residentBytes(pid), 0),
      );
    }, 200);
    child.on('exit', (code) => {
      clearInterval(sampler);
      if (code === 0) done({ ms: performance.now() - started, rss, scanners, text });
      else failed(new Error(`${command} ended with ${code}`));
    });
  });
}

async function step(entry, name, ...args) {
  const { text, rss, scanners } = await timed(process.execPath, ['--expose-gc', entry, name, ...args]);
  return { rss, scanners, ...JSON.parse(text) };
}

function residentBytes(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function childrenOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Builds bench/disk-entry.ts and what it starts. */
async function buildEntry() {
  await buildAll({ tolerant: true });
  const outfile = join(project, 'node_modules/.cache/pinhole-bench/disk-entry.js');
  await build({
    absWorkingDir: project,
    entryPoints: ['bench/disk-entry.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    external: ['@photostructure/sqlite', '@parcel/watcher'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return outfile;
}

function installed(name) {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}

const line = (label, text) => console.log(`  ${label.padEnd(28)} ${text}`);
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
