// PostgreSQL beside SQLite (PINHOLE_BENCH_EVENTS, PINHOLE_BENCH_SCALES, PINHOLE_BENCH_SQLITE_SCALES): taking in logs, searches, SQL, sizes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildEntry } from './source.mjs';

const EVENTS = process.env.PINHOLE_BENCH_EVENTS ?? '100000';
const SCALES = process.env.PINHOLE_BENCH_SCALES ?? '1,2,4';
/** SQLite is on one machine: the first size shows how it compares, and larger ones only take time. */
const SQLITE_SCALES = process.env.PINHOLE_BENCH_SQLITE_SCALES ?? SCALES.split(',')[0];
const ENGINES = (process.env.PINHOLE_BENCH_ENGINES ?? 'sqlite,postgres').split(',');

/** The database of a team server in PINHOLE_DATABASE_URL is used if it is given, and must be empty; else a server is started for this. */
export async function run() {
  const outfile = await buildEntry('postgres-entry');
  for (const engine of ENGINES) {
    // A process of its own for each, so that memory and processor time are told apart.
    const scales = engine === 'sqlite' ? SQLITE_SCALES : SCALES;
    const child = spawn(process.execPath, [outfile, engine, EVENTS, scales], { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${engine} ended with ${code}`);
  }
}
