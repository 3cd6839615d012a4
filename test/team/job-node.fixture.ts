import { setTimeout as sleep } from 'node:timers/promises';
import type { JobKind } from '../../src/jobs/jobs.ts';
import type { PostgresDatabase } from '../../src/store/postgres.ts';
import { sharedJobs } from '../../src/team/shared-jobs.ts';
import { openTeamStore } from '../../src/team/team-store.ts';

/* A node that does nothing but jobs; bundled and started as a process, so that it can be killed. */

/** Counts to 20 in the database, continuing from the current count. */
export function counting(db: PostgresDatabase, stepMs: number, who: string): JobKind {
  return {
    name: 'count',
    afterRestart: 'resume',
    anywhere: true,
    async run({ signal, resumed, progress }) {
      for (;;) {
        const [row] = await db.own('SELECT COUNT(*) AS n FROM counted');
        const done = Number(row?.n);
        progress({ done, total: 20, unit: 'steps' });
        if (done >= 20) return { by: who, resumed };
        await db.own('INSERT INTO counted VALUES ($1, $2)', [done + 1, who]);
        await sleep(stepMs, undefined, { signal });
      }
    },
  };
}

const [, , url, stepMs] = process.argv;
if (url?.startsWith('postgres://')) {
  const db = await openTeamStore(url, { log: () => {} });
  const jobs = sharedJobs(db, { now: Date.now, log: () => {} });
  jobs.register(counting(db, Number(stepMs), 'killed'));
  jobs.begin();
  setInterval(() => {}, 1_000);
  process.stdout.write('ready\n');
}
