// PostgreSQL compared with SQLite (PINHOLE_BENCH_EVENTS, PINHOLE_BENCH_SCALES, PINHOLE_BENCH_SQLITE_SCALES): taking in logs, searches, SQL, sizes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildEntry } from './source.mjs';

const EVENTS = process.env.PINHOLE_BENCH_EVENTS ?? '100000';
const SCALES = process.env.PINHOLE_BENCH_SCALES ?? '1,2,4';
/** SQLite serves one machine: the first size shows how it compares, and larger ones would only take time. */
const SQLITE_SCALES = process.env.PINHOLE_BENCH_SQLITE_SCALES ?? SCALES.split(',')[0];
const ENGINES = (process.env.PINHOLE_BENCH_ENGINES ?? 'sqlite,postgres').split(',');

/** Uses the team server's database in PINHOLE_DATABASE_URL, which must be empty; without it, starts a server. */
export async function run() {
  const outfile = await buildEntry('postgres-entry');
  for (const engine of ENGINES) {
    // Each in its own process, so that memory and CPU time can be told apart.
    const scales = engine === 'sqlite' ? SQLITE_SCALES : SCALES;
    const child = spawn(process.execPath, [outfile, engine, EVENTS, scales], { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${engine} ended with ${code}`);
  }
}
