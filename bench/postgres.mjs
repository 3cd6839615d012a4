// PostgreSQL beside SQLite (PINHOLE_BENCH_EVENTS, PINHOLE_BENCH_SCALES): reading logs, searches, SQL, sizes.
import { execFileSync } from 'node:child_process';
import { buildEntry } from './source.mjs';

const EVENTS = Number(process.env.PINHOLE_BENCH_EVENTS ?? 10_000);
const SCALES = (process.env.PINHOLE_BENCH_SCALES ?? '1,2,4').split(',').map(Number);

/** The database of a team server in PINHOLE_DATABASE_URL is used if it is given, and must be empty; else a server is started for this. */
export async function run() {
  const outfile = await buildEntry('postgres-entry');
  for (const scale of SCALES) {
    // A process of its own for each, so that memory is told apart.
    execFileSync(process.execPath, [outfile, String(EVENTS * scale)], { stdio: 'inherit' });
  }
}
