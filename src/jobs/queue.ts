import { EventEmitter } from 'node:events';
import { errorStack, errorText, fail } from '../contract/errors.ts';
import { parseJson } from '../store/column-values.ts';
import type { Database } from '../store/database.ts';
import { jobNumber, toJob } from './job-row.ts';
import type { Job, JobKind, JobParams, JobReport, JobStatus, Jobs } from './jobs.ts';
import type { Progress } from './progress.ts';

const MAX_RUNNING = 2;
const SAVE_PROGRESS_MS = 1_000;
/** A job that was under way this often when the process was killed is taken for the cause. */
const MAX_DEATHS = 3;
/** The event name for changes of any job. */
const EVERY_JOB = 'every';

const DEADLY = `Pinhole was killed ${MAX_DEATHS} times during this job, perhaps because memory ran out, so it is not tried again. Start it on a smaller folder, or again with more memory.`;

interface Running {
  readonly controller: AbortController;
  progress: Progress | undefined;
  savedAt: number;
  ended: Promise<void>;
}

export interface JobsOptions {
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Jobs are only recorded, never run. */
  readonly paused?: boolean | undefined;
}

/** Jobs kept in the database and run in this process, two at a time. */
export function createJobs(db: Database, options: JobsOptions): Jobs {
  const { now, log } = options;
  const kinds = new Map<string, JobKind>();
  const running = new Map<number, Running>();
  const waiting: { id: number; resumed: boolean }[] = [];
  const changes = new EventEmitter().setMaxListeners(0);
  let closing = options.paused === true;

  const load = async (id: number): Promise<Job | undefined> => {
    const row = await db.get('SELECT * FROM jobs WHERE id = ?', id);
    return row && toJob(row, running.get(id)?.progress, now());
  };
  const announce = async (id: number) => {
    const names = [String(id), EVERY_JOB].filter((name) => changes.listenerCount(name) > 0);
    if (names.length === 0) return;
    const job = await load(id);
    if (job) for (const name of names) changes.emit(name, job);
  };
  const end = async (
    id: number,
    status: JobStatus,
    report: JobReport | undefined,
    error: string | undefined,
  ) => {
    const progress = running.get(id)?.progress;
    await db.run(
      'UPDATE jobs SET status = ?, ended_at = ?, report = ?, error = ?, progress = ? WHERE id = ?',
      ...[status, now(), report ? JSON.stringify(report) : null, error ?? null],
      ...[progress ? JSON.stringify(progress) : null, id],
    );
  };

  /** A closing process leaves a job to the next one, and did not die of it. */
  const leave = (id: number) => db.run('UPDATE jobs SET deaths = deaths - 1 WHERE id = ?', id).then(() => {});

  async function runJob(id: number, resumed: boolean, state: Running): Promise<void> {
    const row = await db.get('SELECT kind, params FROM jobs WHERE id = ?', id);
    const kind = kinds.get(String(row?.kind));
    if (row === undefined || kind === undefined)
      return end(id, 'failed', undefined, 'This version of Pinhole cannot run this kind of job.');
    // Counted before it is known: a process that is killed has no time to count.
    await db.run(
      "UPDATE jobs SET status = 'running', started_at = ?, deaths = deaths + 1 WHERE id = ?",
      ...[now(), id],
    );
    await announce(id);
    const { signal } = state.controller;
    try {
      const report = await kind.run({
        id: `j${id}`,
        params: parseJson<JobParams>(row.params) ?? {},
        signal,
        resumed,
        progress(progress) {
          state.progress = progress;
          if (now() - state.savedAt < SAVE_PROGRESS_MS) return;
          state.savedAt = now();
          void db
            .run('UPDATE jobs SET progress = ? WHERE id = ?', JSON.stringify(progress), id)
            .then(() => announce(id));
        },
      });
      const late = signal.aborted && kind.whole !== true;
      // A closing process leaves the row as running; the next process resumes or fails it.
      if (late && closing) return await leave(id);
      await end(id, late ? 'cancelled' : 'done', report, undefined);
    } catch (error) {
      if (closing) return await leave(id);
      if (signal.aborted) return end(id, 'cancelled', undefined, undefined);
      log(`job j${id} failed: ${errorStack(error)}`);
      await end(id, 'failed', undefined, errorText(error));
    }
  }

  function pump(): void {
    while (!closing && running.size < MAX_RUNNING) {
      const next = waiting.shift();
      if (next === undefined) return;
      const state: Running = {
        controller: new AbortController(),
        progress: undefined,
        savedAt: 0,
        ended: Promise.resolve(),
      };
      running.set(next.id, state);
      state.ended = runJob(next.id, next.resumed, state)
        .catch((error: unknown) => log(`job j${next.id}: ${String(error)}`))
        .finally(async () => {
          running.delete(next.id);
          await announce(next.id).catch(() => {});
          pump();
        });
    }
  }

  return {
    register: (kind) => void kinds.set(kind.name, kind),
    async start(kind, key, params) {
      if (!kinds.has(kind)) fail('invalid_parameter', `Unknown kind of job '${kind}'.`);
      const id = await db.transaction(async (tx) => {
        const same = await tx.get(
          "SELECT id FROM jobs WHERE kind = ? AND key = ? AND status IN ('queued', 'running')",
          ...[kind, key],
        );
        if (same) return { id: Number(same.id), isNew: false };
        const inserted = await tx.run(
          "INSERT INTO jobs (kind, key, params, status, created_at) VALUES (?, ?, ?, 'queued', ?)",
          ...[kind, key, JSON.stringify(params), now()],
        );
        return { id: inserted.id, isNew: true };
      });
      if (id.isNew) {
        waiting.push({ id: id.id, resumed: false });
        await announce(id.id);
      }
      pump();
      const job = await load(id.id);
      return job ?? fail('internal_error', 'The job disappeared while it was being started.');
    },
    async underWay(kind, key) {
      const row = await db.get(
        "SELECT * FROM jobs WHERE kind = ? AND key = ? AND status IN ('queued', 'running')",
        ...[kind, key],
      );
      return row && toJob(row, running.get(Number(row.id))?.progress, now());
    },
    get: (id) => load(jobNumber(id)),
    async list(before, limit) {
      const rows = await db.all(
        'SELECT * FROM jobs WHERE id < ? ORDER BY id DESC LIMIT ?',
        ...[before ?? Number.MAX_SAFE_INTEGER, limit],
      );
      return rows.map((row) => toJob(row, running.get(Number(row.id))?.progress, now()));
    },
    async cancel(id) {
      const number = jobNumber(id);
      const place = waiting.findIndex((job) => job.id === number);
      if (place >= 0) {
        waiting.splice(place, 1);
        await end(number, 'cancelled', undefined, undefined);
        await announce(number);
      }
      const state = running.get(number);
      state?.controller.abort(new Error('cancelled'));
      await state?.ended;
      return load(number);
    },
    watch(id, listener) {
      const name = String(jobNumber(id));
      changes.on(name, listener);
      return () => changes.off(name, listener);
    },
    watchAll(listener) {
      changes.on(EVERY_JOB, listener);
      return () => changes.off(EVERY_JOB, listener);
    },
    async recover() {
      const rows = await db.all(
        "SELECT id, kind, deaths FROM jobs WHERE status IN ('queued', 'running') ORDER BY id",
      );
      for (const row of rows) {
        const id = Number(row.id);
        if (running.has(id) || waiting.some((job) => job.id === id)) continue;
        const resumes = kinds.get(String(row.kind))?.afterRestart === 'resume';
        if (resumes && Number(row.deaths) >= MAX_DEATHS) await end(id, 'failed', undefined, DEADLY);
        else if (resumes) waiting.push({ id, resumed: true });
        else await end(id, 'failed', undefined, 'Pinhole stopped before this job ended. Start it again.');
      }
      pump();
    },
    busy: () => running.size > 0 || waiting.length > 0,
    async close() {
      closing = true;
      for (const { controller } of running.values()) controller.abort(new Error('closing'));
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
