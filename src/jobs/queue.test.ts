import { describe, expect, test } from 'vitest';
import { APP_SCHEMA } from '../store/app-schema.ts';
import type { Database } from '../store/database.ts';
import { openSqlite } from '../store/sqlite.ts';
import type { Job, JobContext, Jobs } from './jobs.ts';
import { etaSeconds, percent } from './progress.ts';
import { createJobs } from './queue.ts';

const log = () => {};
const open = () => openSqlite(':memory:', APP_SCHEMA);

/** Resolves with the job once it has the status. */
function reaches(jobs: Jobs, id: string, status: Job['status']): Promise<Job> {
  return new Promise((resolve) => {
    const look = (job: Job | undefined) => {
      if (job?.status === status) resolve(job);
    };
    jobs.watch(id, look);
    void jobs.get(id).then(look);
  });
}

/** A kind whose runs wait until the test lets them go. */
function gate(db: Database, afterRestart: 'resume' | 'fail' = 'fail') {
  const runs: {
    context: JobContext;
    done: (report?: Record<string, unknown>) => void;
    fail: (error: Error) => void;
  }[] = [];
  let onRun: () => void = () => {};
  const jobs = createJobs(db, { now: Date.now, log });
  jobs.register({
    name: 'gate',
    afterRestart,
    run: (context) =>
      new Promise((resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(new Error('stopped')));
        runs.push({ context, done: resolve, fail: reject });
        onRun();
      }),
  });
  const started = (count: number) =>
    new Promise<void>((resolve) => {
      onRun = () => runs.length >= count && resolve();
      onRun();
    });
  return { jobs, runs, started };
}

describe('a job', () => {
  test('goes from queued over running to done, with its report', async () => {
    const { jobs, runs, started } = gate(await open());
    const job = await jobs.start('gate', 'a', { root: '/x' });
    expect(job.id).toBe('j1');
    await started(1);
    expect(runs[0]?.context.params).toEqual({ root: '/x' });
    runs[0]?.context.progress({ done: 5, total: 10, unit: 'files' });
    expect((await jobs.get('j1'))?.progress).toEqual({ done: 5, total: 10, unit: 'files' });
    expect(jobs.busy()).toBe(true);
    const done = reaches(jobs, 'j1', 'done');
    runs[0]?.done({ index_id: 'i3' });
    expect((await done).report).toEqual({ index_id: 'i3' });
    expect(jobs.busy()).toBe(false);
  });

  test('asked for again while it runs is the same; afterwards a new one', async () => {
    const { jobs, runs, started } = gate(await open());
    const [a, b] = await Promise.all([jobs.start('gate', 'same', {}), jobs.start('gate', 'same', {})]);
    expect(a.id).toBe(b.id);
    await started(1);
    const done = reaches(jobs, a.id, 'done');
    runs[0]?.done();
    await done;
    expect((await jobs.start('gate', 'same', {})).id).not.toBe(a.id);
  });

  test('that fails says why', async () => {
    const { jobs, runs, started } = gate(await open());
    await jobs.start('gate', 'a', {});
    await started(1);
    const failed = reaches(jobs, 'j1', 'failed');
    runs[0]?.fail(new Error('disk full'));
    expect((await failed).error).toBe('disk full');
  });

  test('can be cancelled while it waits and while it runs; two run at a time', async () => {
    const { jobs, runs, started } = gate(await open());
    for (const key of ['a', 'b', 'c']) await jobs.start('gate', key, {});
    await started(2);
    expect((await jobs.get('j3'))?.status).toBe('queued');
    expect((await jobs.cancel('j3'))?.status).toBe('cancelled');
    expect((await jobs.cancel('j1'))?.status).toBe('cancelled');
    expect(runs).toHaveLength(2);
    expect(await jobs.cancel('j99')).toBeUndefined();
  });

  test('is done where it could not be stopped any more, and under way until then', async () => {
    const jobs = createJobs(await open(), { now: Date.now, log });
    let goOn = () => {};
    const began = new Promise<void>((resolve) => {
      const run = async () => {
        resolve();
        await new Promise<void>((go) => {
          goOn = go;
        });
        return { files: 1 };
      };
      jobs.register({ name: 'late', afterRestart: 'fail', whole: true, run });
    });
    await jobs.start('late', 'a', {});
    await began;
    expect(await jobs.underWay('late', 'a')).toMatchObject({ id: 'j1', status: 'running' });
    expect(await jobs.underWay('late', 'b')).toBeUndefined();
    const cancelled = jobs.cancel('j1');
    goOn();
    expect(await cancelled).toMatchObject({ status: 'done', report: { files: 1 } });
    expect(await jobs.underWay('late', 'a')).toBeUndefined();
  });
});

describe('after a restart', () => {
  test('work that ended quietly because the process closed is still under way', async () => {
    const db = await open();
    const jobs = createJobs(db, { now: Date.now, log });
    const began = new Promise<void>((resolve) => {
      jobs.register({
        name: 'quiet',
        afterRestart: 'resume',
        run: ({ signal }) =>
          new Promise((done) => {
            signal.addEventListener('abort', () => done({ files: 3 }));
            resolve();
          }),
      });
    });
    await jobs.start('quiet', 'a', {});
    await began;
    await jobs.close();
    expect((await db.get('SELECT status FROM jobs'))?.status).toBe('running');
  });

  test.each(['resume', 'fail'] as const)('work that was under way: %s', async (afterRestart) => {
    const db = await open();
    const before = gate(db, afterRestart);
    await before.jobs.start('gate', 'a', { root: '/x' });
    await before.started(1);
    await before.jobs.close();
    expect((await db.get('SELECT status FROM jobs'))?.status).toBe('running');

    const after = gate(db, afterRestart);
    await after.jobs.recover();
    if (afterRestart === 'fail') {
      expect(await after.jobs.get('j1')).toMatchObject({
        status: 'failed',
        error: 'Pinhole stopped before this job ended. Start it again.',
      });
    } else {
      await after.started(1);
      expect(after.runs[0]?.context).toMatchObject({ resumed: true, params: { root: '/x' } });
    }
  });

  test('work that was under way whenever the process was killed is given up', async () => {
    const db = await open();
    // Never closed: this is what a kill leaves.
    for (let death = 0; death < 3; death++) {
      const { jobs, started } = gate(db, 'resume');
      await (death === 0 ? jobs.start('gate', 'a', {}) : jobs.recover());
      await started(1);
    }
    const after = gate(db, 'resume');
    await after.jobs.recover();
    expect(await after.jobs.get('j1')).toMatchObject({
      status: 'failed',
      error:
        'Pinhole was killed 3 times during this job, perhaps because memory ran out, so it is not tried again. Start it on a smaller folder, or again with more memory.',
    });
    expect(after.runs).toEqual([]);
    // Asked for again, it runs.
    await after.jobs.start('gate', 'a', {});
    await after.started(1);
  });

  test('work that a closing process left is resumed however often', async () => {
    const db = await open();
    for (let round = 0; round < 6; round++) {
      const { jobs, started } = gate(db, 'resume');
      await (round === 0 ? jobs.start('gate', 'a', {}) : jobs.recover());
      await started(1);
      await jobs.close();
    }
    expect(await gate(db, 'resume').jobs.get('j1')).toMatchObject({ status: 'running' });
  });
});

test('percent and time left', () => {
  expect(percent({ done: 1, total: 3, unit: 'files' })).toBe(33);
  expect(percent({ done: 3, total: 3, unit: 'files' })).toBe(99);
  expect(percent({ done: 3, unit: 'files' })).toBeUndefined();
  expect(etaSeconds({ done: 25, total: 100, unit: 'files' }, 10_000)).toBe(30);
  expect(etaSeconds({ done: 25, total: 100, unit: 'files' }, 100)).toBeUndefined();
});
