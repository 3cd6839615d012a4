import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorText, fail } from '../contract/errors.ts';
import { jobNumber, toJob } from '../jobs/job-row.ts';
import type { Job, JobKind, JobParams, JobReport, JobStatus, Jobs } from '../jobs/jobs.ts';
import type { Progress } from '../jobs/progress.ts';
import { parseJson } from '../store/column-values.ts';
import type { PostgresDatabase } from '../store/postgres.ts';

/*
 * Work that any node can do. A node that runs a job holds a database lock for it, which ends with the connection. An
 * unfinished job whose lock is free belongs to a node that died, and another node continues it.
 */

const CHANNEL = 'pinhole_jobs';
/** The first of the two numbers of a lock; the second comes from the job. */
const LOCK = 7_405_502;
/** The id of the first job that is shared by all nodes. */
const FIRST_SHARED_JOB = 1_000_000_001;
const LOOK_EVERY_MS = 2_000;
const TELL_EVERY_MS = 200;
/** A job that was running this often when a node died is assumed to be the cause. */
const MAX_DEATHS = 3;

export interface SharedJobsOptions {
  readonly now: () => number;
  readonly log: (line: string) => void;
}

export interface SharedJobs extends Jobs {
  /** Follows the jobs of all nodes, without running any. */
  listenOnly(): Promise<void>;
  /** Starts to run jobs. */
  begin(): void;
}

/** The jobs of all nodes. Kinds that are not registered here are left to other nodes. */
export function sharedJobs(db: PostgresDatabase, { now, log }: SharedJobsOptions): SharedJobs {
  const kinds = new Map<string, JobKind>();
  const running = new Map<number, AbortController>();
  const changes = new EventEmitter().setMaxListeners(0);
  const ending = new AbortController();
  let wake = () => {};
  let working: Promise<void> = Promise.resolve();
  let stopListening: Promise<() => Promise<void>> | undefined;

  const load = async (id: number): Promise<Job | undefined> => {
    const row = await db.get('SELECT * FROM jobs WHERE id = ?', id);
    return row && toJob(row, undefined, now());
  };
  const tell = (id: number) => db.own('SELECT pg_notify($1, $2)', [CHANNEL, String(id)]).then(() => {});

  async function hear(said: string): Promise<void> {
    const job = await load(Number(said));
    if (job === undefined) return;
    for (const name of [said, 'every']) changes.emit(name, job);
    if (job.status === 'queued') wake();
    if (job.status === 'cancelled') running.get(Number(said))?.abort(new Error('cancelled'));
  }

  async function end(id: number, status: JobStatus, report?: JobReport, error?: string): Promise<void> {
    await db.run(
      "UPDATE jobs SET status = ?, ended_at = ?, report = ?, error = ? WHERE id = ? AND status = 'running'",
      ...[status, now(), report ? JSON.stringify(report) : null, error ?? null, id],
    );
    await tell(id);
  }

  async function runJob(kind: JobKind, id: number, params: JobParams, resumed: boolean): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    let told = 0;
    const progress = (made: Progress) => {
      if (now() - told < TELL_EVERY_MS) return;
      told = now();
      void db
        .run('UPDATE jobs SET progress = ? WHERE id = ?', JSON.stringify(made), id)
        .then(() => tell(id))
        .catch(() => {});
    };
    const signal = AbortSignal.any([controller.signal, ending.signal]);
    try {
      const report = await kind.run({ id: `j${id}`, params, signal, resumed, progress });
      await end(id, 'done', report);
    } catch (error) {
      // A node that is closing leaves the job to another one.
      if (ending.signal.aborted) await db.run('UPDATE jobs SET deaths = deaths - 1 WHERE id = ?', id);
      else if (!controller.signal.aborted) await end(id, 'failed', undefined, errorText(error));
    } finally {
      running.delete(id);
    }
  }

  /** Claims a job that no node is running, and runs it; false if all jobs are taken. */
  const takeOne = () =>
    db.alone(async ({ ask }) => {
      const names = [...kinds.keys()];
      const { rows } = await ask(
        `SELECT id, kind, params, status, deaths FROM jobs WHERE status IN ('queued', 'running')
         AND kind = ANY ($1) ORDER BY id LIMIT 20`,
        [names],
      );
      for (const [id, name, params, , deaths] of rows) {
        const { rows: locked } = await ask('SELECT pg_try_advisory_lock($1, $2)', [
          LOCK,
          Number(id) - FIRST_SHARED_JOB,
        ]);
        if (locked[0]?.[0] !== 1) continue;
        try {
          const { rows: mine } = await ask(
            `UPDATE jobs SET status = 'running', started_at = COALESCE(started_at, $2), deaths = deaths + 1
             WHERE id = $1 AND status IN ('queued', 'running') RETURNING deaths`,
            [id, now()],
          );
          const kind = kinds.get(String(name));
          if (mine.length === 0 || kind === undefined) continue;
          await tell(Number(id));
          if (Number(deaths) >= MAX_DEATHS)
            await end(Number(id), 'failed', undefined, `${MAX_DEATHS} nodes died during this job.`);
          else await runJob(kind, Number(id), parseJson<JobParams>(params) ?? {}, Number(deaths) > 0);
          return true;
        } finally {
          await ask('SELECT pg_advisory_unlock($1, $2)', [LOCK, Number(id) - FIRST_SHARED_JOB]).catch(
            () => {},
          );
        }
      }
      return false;
    }, new AbortController().signal);

  async function work(): Promise<void> {
    while (!ending.signal.aborted) {
      const found = await takeOne().catch((error: unknown) => {
        log(`jobs: ${errorText(error)}`);
        return false;
      });
      if (found || ending.signal.aborted) continue;
      const awake = new AbortController();
      wake = () => awake.abort();
      await sleep(LOOK_EVERY_MS, undefined, {
        signal: AbortSignal.any([awake.signal, ending.signal]),
        ref: false,
      }).catch(() => {});
    }
  }

  async function listenOnly(): Promise<void> {
    stopListening ??= db.listen(CHANNEL, (said) => void hear(said).catch(() => {}));
    await stopListening;
  }

  return {
    register: (kind) => void kinds.set(kind.name, kind),
    listenOnly,
    begin() {
      listenOnly().catch((error: unknown) => log(`jobs: ${errorText(error)}`));
      working = work();
    },
    async start(kind, key, params) {
      if (!kinds.has(kind)) fail('invalid_parameter', `Unknown kind of job '${kind}'.`);
      await db.own(
        `INSERT INTO jobs (kind, key, params, status, created_at) VALUES ($1, $2, $3, 'queued', $4)
         ON CONFLICT (kind, key) WHERE status IN ('queued', 'running') DO NOTHING`,
        [kind, key, JSON.stringify(params), now()],
      );
      const row = await db.get(
        'SELECT * FROM jobs WHERE kind = ? AND key = ? ORDER BY id DESC LIMIT 1',
        kind,
        key,
      );
      const job = row && toJob(row, undefined, now());
      if (job === undefined) fail('internal_error', 'The job disappeared while it was being started.');
      await tell(jobNumber(job.id));
      wake();
      return job;
    },
    async underWay(kind, key) {
      const row = await db.get(
        "SELECT * FROM jobs WHERE kind = ? AND key = ? AND status IN ('queued', 'running')",
        ...[kind, key],
      );
      return row && toJob(row, undefined, now());
    },
    get: (id) => load(jobNumber(id)),
    async list(before, limit) {
      const rows = await db.all(
        'SELECT * FROM jobs WHERE id < ? ORDER BY id DESC LIMIT ?',
        ...[before ?? Number.MAX_SAFE_INTEGER, limit],
      );
      return rows.map((row) => toJob(row, undefined, now()));
    },
    async cancel(id) {
      const number = jobNumber(id);
      await db.run(
        "UPDATE jobs SET status = 'cancelled', ended_at = ? WHERE id = ? AND status IN ('queued', 'running')",
        ...[now(), number],
      );
      await tell(number);
      return load(number);
    },
    watch(id, listener) {
      const name = String(jobNumber(id));
      changes.on(name, listener);
      return () => changes.off(name, listener);
    },
    watchAll(listener) {
      changes.on('every', listener);
      return () => changes.off('every', listener);
    },
    recover: async () => {},
    busy: () => running.size > 0,
    async close() {
      ending.abort(new Error('closing'));
      await working;
      await (await stopListening?.catch(() => undefined))?.();
    },
  };
}

/** The jobs of this node and the shared ones as one list. Handles of the latter begin at 1,000,000,001. */
export function withShared(own: Jobs, shared: Jobs): Jobs {
  const of = (id: string) => (jobNumber(id) >= FIRST_SHARED_JOB ? shared : own);
  const known = new Set<string>();
  const ofKind = (kind: string) => (known.has(kind) ? shared : own);
  return {
    register(kind) {
      if (kind.anywhere !== true) return own.register(kind);
      known.add(kind.name);
      shared.register(kind);
    },
    start: (kind, key, params) => ofKind(kind).start(kind, key, params),
    underWay: (kind, key) => ofKind(kind).underWay(kind, key),
    get: (id) => of(id).get(id),
    async list(before, limit) {
      const theirs =
        before === undefined || before >= FIRST_SHARED_JOB ? await shared.list(before, limit) : [];
      const left = limit - theirs.length;
      return left > 0
        ? [...theirs, ...(await own.list(Math.min(before ?? FIRST_SHARED_JOB, FIRST_SHARED_JOB), left))]
        : theirs;
    },
    cancel: (id) => of(id).cancel(id),
    watch: (id, listener) => of(id).watch(id, listener),
    watchAll(listener) {
      const stops = [own.watchAll(listener), shared.watchAll(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    recover: () => own.recover(),
    busy: () => own.busy() || shared.busy(),
    close: async () => {
      await Promise.all([own.close(), shared.close()]);
    },
  };
}
