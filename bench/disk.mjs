// First scan compared with du, ncdu and gdu; memory, answers over a million files, rescan.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTree } from './disk-tree.mjs';
import { buildEntry } from './source.mjs';

const FILES = Number(process.env.PINHOLE_BENCH_FILES ?? 1_000_000);
/** Multiples of the base number of files, one tree after the other. */
const SIZES = (process.env.PINHOLE_BENCH_SIZES ?? '1,2,4').split(',').map(Number);
const ROUNDS = Number(process.env.PINHOLE_BENCH_ROUNDS ?? 3);
const PEERS = [
  { name: 'du', args: (root) => ['-s', root] },
  { name: 'ncdu', args: (root) => ['-0', '-x', '-o', '/dev/null', root] },
  { name: 'gdu', args: (root) => ['-npcx', root] },
];
/** The flags of the background process, see src/connect/memory-settings.ts. */
const NODE_FLAGS = ['--max-semi-space-size=4'];
const MEMORY_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

export async function run() {
  const work = mkdtempSync(join(tmpdir(), 'pinhole-bench-'));
  try {
    const entry = await buildEntry('disk-entry');
    for (const { name } of PEERS)
      if (!installed(name)) console.log(`${name} is not installed: no figure beside it`);
    for (const size of SIZES) {
      const { tree, flat } = treeOf(work, size);
      const home = join(work, `home-${size}`);
      const ours = await firstScan(entry, home, tree, size);
      await answers(entry, home, tree, flat);
      if (size === SIZES[0]) {
        compareWithDu(tree, ours);
        await changes(entry, home, tree);
      }
      rmSync(home, { recursive: true, force: true });
      if (tree.startsWith(work)) rmSync(tree, { recursive: true, force: true });
    }
    await usr(entry, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A tree of this many times the files: made for this run, or kept in `PINHOLE_BENCH_TREES`. */
function treeOf(work, size) {
  const kept = process.env.PINHOLE_BENCH_TREES;
  const tree = join(kept ?? work, `t${size}`);
  const flat = join(tree, 'a/q1/flat');
  if (!existsSync(flat)) {
    console.log(`making a tree of ${FILES * size} files …`);
    makeTree(tree, FILES * size);
  }
  return { tree, flat };
}

/** D1, D2: peers and ours take turns, so that all run under the same conditions; the best time of each counts. */
async function firstScan(entry, home, tree, size) {
  const best = new Map();
  const keep = (name, result) => {
    if (!(best.get(name)?.ms <= result.ms)) best.set(name, result);
  };
  // Brings the tree into the page cache, so that no program pays for it.
  if (installed('du')) await timed('du', ['-s', tree]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, args } of PEERS) if (installed(name)) keep(name, await timed(name, args(tree)));
    rmSync(home, { recursive: true, force: true });
    keep('pinhole', await step(entry, 'scan', home, tree));
  }
  const ours = best.get('pinhole');
  console.log(`\n${size} ×: first scan of ${ours.nodes} nodes, warm, best of ${ROUNDS} (D1, D2)`);
  for (const { name, args } of PEERS) {
    const peer = best.get(name);
    if (peer === undefined) continue;
    const ratio = (ours.ms / peer.ms).toFixed(2);
    line(
      name,
      `${seconds(peer.ms)}  ${mb(peer.memory.self)}  pinhole/${name} ${ratio}   $ ${name} ${args('TREE').join(' ')}`,
    );
  }
  const each = `${((1000 * ours.ms) / ours.nodes).toFixed(2)} µs a node`;
  line('pinhole', `${seconds(ours.ms)}  ${each}, built, saved and loaded   $ pinhole index TREE`);
  line('memory', memoryText(ours.memory));
  line('index', `${ours.bytes_per_node.toFixed(1)} bytes a node with names`);
  return ours;
}

/** D2 to D4. */
async function answers(entry, home, tree, flat) {
  const { loaded, watched, memory, results } = await step(entry, 'answers', home, tree, flat);
  console.log(
    `  answers through the contract, index loaded in ${loaded.toFixed(0)} ms, ${watched} (D2 to D4)`,
  );
  line('memory', memoryText(memory));
  for (const { label, best, median, bytes } of results) {
    line(label, `${best.toFixed(1)} ms best, ${median.toFixed(1)} median  ${bytes} bytes`);
  }
}

/** D5. */
async function changes(entry, home, tree) {
  const told = ({ ms, found, unseen, read }) =>
    `${seconds(ms)}  found ${found.added} added, ${found.removed} removed, ${found.written} written into` +
    `${read === undefined ? '' : `, ${read} folders read`}; ${unseen} files said not to be looked at`;
  const running = await step(entry, 'watched', home, tree, '1000');
  console.log(`\nD5: rescan after ${running.made} changes (a third each)`);
  line('owner was running', told(running.quick));
  line('nothing changed', seconds(running.again));
  line(
    'watching',
    `exact ${seconds(running.ready)} after the sweep (${running.exact}), the answering loop held up ${running.delay.toFixed(0)} ms at most`,
  );
  line('memory', memoryText(running.memory));
  const away = await step(entry, 'away', home, tree, '1000');
  line('nobody was running', told(away.quick));
  line('everything read', told(away.full));
}

/** Totals of a real tree, /usr. */
async function usr(entry, work) {
  if (!existsSync('/usr')) return;
  console.log('\n/usr');
  compareWithDu('/usr', await step(entry, 'scan', join(work, 'home-usr'), '/usr'));
}

/** Since coreutils 9.2, du counts no apparent size for folders themselves: then ours is reported without them, too. */
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

/** Our processes, by what they run. */
const PARTS = { 'indexing.worker': 'indexing', 'scanner.worker': 'scanners', 'watching.worker': 'watching' };

/** A program's wall time, and the peak memory of it and its child processes. */
function timed(command, args, env = {}) {
  return new Promise((done, failed) => {
    const started = performance.now();
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    let text = '';
    const memory = { self: 0, all: 0 };
    child.stdout.setEncoding('utf8').on('data', (part) => (text += part));
    const sampler = setInterval(() => {
      const now = { self: residentBytes(child.pid) };
      for (const pid of descendants(child.pid)) {
        const part = partOf(pid);
        now[part] = (now[part] ?? 0) + residentBytes(pid);
      }
      const all = Object.values(now).reduce((sum, bytes) => sum + bytes, 0);
      for (const [part, bytes] of Object.entries({ ...now, all }))
        memory[part] = Math.max(memory[part] ?? 0, bytes);
    }, 100);
    child.on('exit', (code) => {
      clearInterval(sampler);
      if (code === 0) done({ ms: performance.now() - started, memory, text });
      else failed(new Error(`${command} ended with ${code}`));
    });
  });
}

async function step(entry, name, ...args) {
  const flags = [...NODE_FLAGS, '--expose-gc', entry, name, ...args];
  const { text, memory } = await timed(process.execPath, flags, MEMORY_ENV);
  return { memory, ...JSON.parse(text) };
}

function memoryText({ self, all, ...parts }) {
  const rest = Object.entries(parts).map(([part, bytes]) => `${part} ${mb(bytes)}`);
  return `at most ${mb(self)} in the owner${rest.length > 0 ? `; ${rest.join(', ')}; ${mb(all)} together` : ''}`;
}

function partOf(pid) {
  const command = readText(`/proc/${pid}/cmdline`);
  return Object.entries(PARTS).find(([file]) => command.includes(file))?.[1] ?? 'other';
}

function descendants(pid) {
  return childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function residentBytes(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
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

function installed(name) {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}

const line = (label, text) => console.log(`  ${label.padEnd(28)} ${text}`);
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
