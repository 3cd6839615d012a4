import { readFileSync } from 'node:fs';
import { importNcdu } from '../src/disk/ncdu/ncdu-import.ts';
import { saveTree } from '../src/disk/tree/save-tree.ts';
import { createQueryProcesses } from '../src/sql/query-processes.ts';
import { syntheticExport } from './sql-material.mjs';

/** The steps of bench/sql.mjs; prints one line of JSON. */
const [step = '', file = '', sessions = '', ...queries] = process.argv.slice(2);

async function make() {
  const tree = importNcdu(syntheticExport(Number(sessions)), 1, Date.now());
  await saveTree(tree, file);
  return { nodes: tree.meta.nodes };
}

async function ask() {
  const processes = createQueryProcesses();
  const { signal } = new AbortController();
  const disk = file === '' ? [] : [{ id: 1, file, growthFolder: '', version: '1' }];
  const times: { readonly ms: number; readonly cpu: number }[] = [];
  // The process itself takes a moment to start.
  await processes.look('select 1', signal);
  for (const query of queries) {
    const started = performance.now();
    const before = cpuOf(queryProcess());
    const { reads } = await processes.look(query, signal);
    const databases = { sessions: sessions === '' ? [] : [sessions] };
    const settings = { prices: {} };
    const asked = { query, reads, now: Date.now(), zone: 'UTC', settings, databases, disk, found: [] };
    await processes.run(asked, signal);
    times.push({
      ms: Math.round(performance.now() - started),
      cpu: cpuOf(queryProcess()) - before,
    });
  }
  // Memory that only loading needed is released a little later.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const status = readFileSync(`/proc/${queryProcess()}/status`, 'utf8');
  await processes.close();
  const kept = (name: string) => 1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
  return { times, rss: kept('VmRSS'), peak: kept('VmHWM') };
}

/** The process that runs the queries: the only child that Node started. */
function queryProcess(): string {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  return children.trim().split(' ').at(-1) ?? '';
}

/** Milliseconds of CPU time that a process has used, in steps of ten. */
function cpuOf(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

console.log(JSON.stringify(step === 'make' ? await make() : await ask()));
