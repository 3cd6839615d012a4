import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { Plans } from './cleaning/plans.ts';
import { Indexes } from './indexes.ts';
import { Queries } from './queries.ts';
import { Search } from './search.ts';
import { Sets } from './sets.ts';
import { indexRows } from './store/index-rows.ts';

/** Everything about disks that operations ask for. */
export interface Disk {
  readonly indexes: Indexes;
  readonly search: Search;
  readonly sets: Sets;
  readonly queries: Queries;
  readonly plans: Plans;
  close(): Promise<void>;
}

export interface DiskDeps {
  /** The main database, with DISK_SCHEMA among its migrations. */
  readonly db: Database;
  readonly jobs: Jobs;
  /** The data folder. */
  readonly home: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Real paths of files below a root that agent sessions touched, where sessions are indexed. */
  readonly touchedPaths?: ((root: string) => Promise<Iterable<string>>) | undefined;
}

/** Opens the disk subject. Call before `jobs.recover`, since it registers its kind of job. */
export async function openDisk(deps: DiskDeps): Promise<Disk> {
  const { db, jobs, now, log } = deps;
  const folder = join(deps.home, 'disk');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const sets = new Sets(db, now);
  const indexes = new Indexes({
    rows: indexRows(db, now),
    jobs,
    folder,
    now,
    log,
    onSwap: (row, old, tree) => sets.noteGone(row.id, old, tree),
  });
  return {
    indexes,
    search: new Search({ indexes, folder, now, touchedPaths: deps.touchedPaths }),
    sets,
    queries: new Queries(db, now),
    plans: new Plans(db, now),
    async close() {
      indexes.close();
    },
  };
}
