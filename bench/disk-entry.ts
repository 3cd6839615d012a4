import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createEngine } from '../src/contract/engine.ts';
import { createResultSets } from '../src/contract/result-sets.ts';
import { databaseShells } from '../src/disk/browse/shells.ts';
import { openDisk } from '../src/disk/disk.ts';
import { DISK_SCHEMA } from '../src/disk/disk-schema.ts';
import { freshnessText } from '../src/disk/indexes/freshness.ts';
import { DISK_OPERATIONS } from '../src/disk/operations/index.ts';
import { KIND, KIND_MASK } from '../src/disk/scan/node-kinds.ts';
import { loadTree } from '../src/disk/tree/load-tree.ts';
import type { Tree } from '../src/disk/tree/tree-columns.ts';
import { pathOf, rowOfPath } from '../src/disk/tree/tree-nodes.ts';
import { createJobs } from '../src/jobs/queue.ts';
import { APP_SCHEMA } from '../src/store/app-schema.ts';
import { databaseCursors } from '../src/store/cursors.ts';
import { openSqlite } from '../src/store/sqlite.ts';

/** The steps of bench/disk.mjs, each run in its own process; prints one line of JSON. */
const [step = '', home = '', root = '', ...args] = process.argv.slice(2);

async function open() {
  const now = Date.now;
  const log = console.error;
  const db = await openSqlite(join(home, 'bench.db'), [...APP_SCHEMA, ...DISK_SCHEMA]);
  const jobs = createJobs(db, { now, log });
  const disk = await openDisk({ db, jobs, home, now, log, gitIgnores: () => () => false });
  const services = { disk, shells: databaseShells(db, now) };
  const engine = createEngine({
    operations: DISK_OPERATIONS,
    services,
    cursors: databaseCursors(db, now),
    results: createResultSets(now),
    audit: { record: () => undefined },
    allowed: async () => [root],
    baseUrl: () => 'http://127.0.0.1:4747',
    log,
    now,
  });
  /** Scans as the `index` operation does; the time runs from the call until the index is saved and in use. */
  const index = async (full: boolean) => {
    const started = performance.now();
    const request = { root, allowed: [], followSymlinks: false, oneFileSystem: true, exclude: [], full };
    const { job } = await disk.indexes.startIndex(request);
    const report = await new Promise<Record<string, unknown>>((resolve, reject) => {
      const look = async () => {
        const now = await jobs.get(job.id);
        if (now?.status === 'done') resolve({ ...now.report });
        else if (now?.status === 'failed') reject(new Error(now.error));
      };
      jobs.watch(job.id, () => void look());
      void look();
    });
    return { ms: performance.now() - started, report };
  };
  const close = async () => {
    await jobs.close();
    await disk.close();
    await db.close();
  };
  return { disk, engine, index, close };
}

type Bench = Awaited<ReturnType<typeof open>>;

/** D1, D2: the first scan. */
async function scan({ disk, index }: Bench) {
  const { ms } = await index(true);
  const { tree } = await disk.indexes.open('i1');
  return {
    ms,
    nodes: tree.meta.nodes,
    bytes_per_node: tree.buffer.byteLength / tree.meta.nodes,
    disk: tree.dirDisk[0],
    size: tree.dirSize[0],
    folders: Array.from(tree.dirRow, (row) => tree.size[row] ?? 0).reduce((sum, bytes) => sum + bytes, 0),
  };
}

/** An index loaded from its file is swept, watched and checked once before it is exact. */
async function settled({ disk, index }: Bench) {
  await index(false);
  await disk.indexes.watching('i1');
}

/** D2 to D4: what answers cost in a fresh process. */
async function answers(bench: Bench) {
  const { engine, disk } = bench;
  const [flat = root] = args;
  const started = performance.now();
  await disk.indexes.open('i1');
  const loaded = performance.now() - started;
  await settled(bench);
  const caller = {
    door: 'mcp',
    client: 'bench',
    id: 'bench',
    roots: [root],
    budget: 8_000,
    format: 'json',
  } as const;
  /** A pattern containing `9N` is different each time, so that nothing is answered from a cache. */
  const ask = async (operation: string, given: object) => {
    const times: number[] = [];
    let bytes = 0;
    let text = '';
    for (let i = 0; i < 15; i++) {
      const input = JSON.parse(JSON.stringify(given).replaceAll('9N', String(9 + i)));
      const begun = performance.now();
      const answer = await engine.run(operation, input, { caller: { ...caller, id: `b${i % 3}` } });
      times.push(performance.now() - begun);
      if (!answer.ok) throw new Error(answer.error.message);
      bytes = Math.max(bytes, answer.rendered.bytes);
      text = answer.rendered.text;
    }
    times.sort((a, b) => a - b);
    return { best: times[0], median: times[7], bytes, text };
  };
  const on = { index_id: 'i1' };
  const shown: [string, string, object][] = [
    ['cd, 50,000 entries, top 20', 'cd', { path: flat }],
    ['cd, the root', 'cd', { path: root }],
    ['inspect the flat folder', 'inspect', { path: flat }],
    ['by extension', 'disk_extensions', { ...on, limit: 20 }],
    ['by age', 'disk_ages', { ...on, limit: 20 }],
    ['largest 20', 'disk_largest', { ...on, limit: 20 }],
    ['name, regex with a literal', 'disk_find', { ...on, regex: 'report_1z.{0,9N}\\.ts$', limit: 20 }],
    ['name, regex without one', 'disk_find', { ...on, regex: '^[a-f]+_[0-9]{3,9N}$', limit: 20 }],
    ['name, glob', 'disk_find', { ...on, name: '*{.log,.l9N}', limit: 20 }],
    [
      'name, regex in any case',
      'disk_find',
      { ...on, filter: { name: { regex: 'REPORT_\\d{1,9N}', ignore_case: true } }, limit: 20 },
    ],
    ['name, regex anywhere', 'disk_find', { ...on, regex: '[aeiou]{3,9N}', limit: 20 }],
    ['path, regex', 'disk_find', { ...on, filter: { path: { regex: '[0-9]{3,9N}/[a-c]' } }, limit: 20 }],
    ['path, glob', 'disk_find', { ...on, filter: { path: '**/t*/*{.ts,.t9N}' }, limit: 20 }],
    ['filtered tree', 'disk_tree', { ...on, filter: { ext: 'log' }, limit: 20 }],
    ['filtered map', 'disk_treemap', { ...on, filter: { name: '*{.log,.l9N}' } }],
    ['old and large', 'query_run', { ...on, filter: { size: '>100k', modified: '>1y' } }],
    ['50,000 matches to a set', 'query_run', { ...on, filter: { path: '**/flat/*' }, save_as: 'flat' }],
    ['the set', 'resource_set_get', {}],
    ['sets', 'resource_set_list', {}],
  ];
  const results = [];
  let set = {};
  for (const [label, operation, input] of shown) {
    const { text, ...figures } = await ask(operation, operation === 'resource_set_get' ? set : input);
    if (operation === 'query_run') set = { selection_id: JSON.parse(text).data.selection_id };
    results.push({ label, ...figures });
  }
  const watched = freshnessText((await disk.indexes.open('i1')).fresh, Date.now());
  return { loaded, watched, results };
}

/** The tree as saved, without opening the index. */
const saved = () => loadTree(join(home, 'disk/i1/tree.idx'));

type Indexing = Awaited<ReturnType<Bench['index']>>;

async function outcome({ disk }: Bench, { ms, report }: Indexing, made: readonly Change[]) {
  const { tree } = await disk.indexes.open('i1');
  return {
    ms,
    found: foundIn(tree, made),
    unseen: report.files_not_rechecked ?? 0,
    read: report.folders_read,
  };
}

/** D5, unwatched: changes were made while Pinhole was not running. */
async function away() {
  const made = change(await saved(), Number(args[0] ?? 1000), 'away');
  const bench = await open();
  const quick = await outcome(bench, await bench.index(false), made);
  const full = await outcome(bench, await bench.index(true), made);
  await bench.close();
  return { made: made.length, quick, full };
}

/** D5, watched: Pinhole has been running and watches the folders. Also measures what watching costs. */
async function watched() {
  const bench = await open();
  await bench.index(false);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  await bench.disk.indexes.watching('i1');
  const ready = performance.now() - started;
  delay.disable();
  const { fresh, tree } = await bench.disk.indexes.open('i1');
  const made = change(tree, Number(args[0] ?? 1000), 'watched');
  const quick = await outcome(bench, await bench.index(false), made);
  await bench.disk.indexes.watching('i1');
  const again = await bench.index(false);
  await bench.close();
  return {
    made: made.length,
    quick,
    again: again.ms,
    ready,
    exact: fresh.watched,
    delay: delay.max / 1e6,
  };
}

interface Change {
  readonly kind: 'added' | 'removed' | 'written';
  readonly path: string;
  readonly size: number;
}

/** Adds, removes and changes files, spread evenly over the tree. */
function change(tree: Tree, count: number, mark: string): Change[] {
  const made: Change[] = [];
  const step = Math.floor(tree.meta.nodes / (count * 1.2));
  for (
    let row = mark === 'away' ? step : Math.floor(step / 2);
    row < tree.meta.nodes && made.length < count;
    row += step
  ) {
    const path = pathOf(tree, row);
    const kind = (['added', 'removed', 'written'] as const)[made.length % 3] ?? 'added';
    if (((tree.kind[row] ?? 0) & KIND_MASK) !== KIND.file) continue;
    const size = (tree.size[row] ?? 0) + 7;
    if (kind === 'added') writeFileSync(`${path}.${mark}`, '1234567');
    else if (kind === 'removed') rmSync(path);
    else appendFileSync(path, '1234567');
    made.push({ kind, path: kind === 'added' ? `${path}.${mark}` : path, size: kind === 'added' ? 7 : size });
  }
  return made;
}

function foundIn(tree: Tree, made: readonly Change[]) {
  const found = { added: 0, removed: 0, written: 0 };
  for (const { kind, path, size } of made) {
    const row = rowOfPath(tree, path);
    if (kind === 'removed' ? row < 0 : tree.size[row] === size) found[kind]++;
  }
  return found;
}

/** Steps that need the index open from the start. */
const opened = (run: (bench: Bench) => Promise<object>) => async () => {
  const bench = await open();
  const result = await run(bench);
  await bench.close();
  return result;
};

mkdirSync(home, { recursive: true });
const steps = { scan: opened(scan), answers: opened(answers), away, watched };
console.log(JSON.stringify(await steps[step as keyof typeof steps]()));
