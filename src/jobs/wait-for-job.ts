import type { Job, Jobs } from './jobs.ts';

/** True once a job is done, failed or cancelled. */
export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

/** The job as it is when it ends, or when the time is over. */
export async function waitForJob(jobs: Jobs, job: Job, ms: number, signal: AbortSignal): Promise<Job> {
  if (ms <= 0 || hasEnded(job)) return job;
  await new Promise<void>((resolve) => {
    const stop = jobs.watch(job.id, (now) => hasEnded(now) && finish());
    const timer = setTimeout(() => finish(), ms);
    const finish = () => {
      stop();
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    signal.addEventListener('abort', finish);
    // It may have ended before it was watched.
    void jobs.get(job.id).then((now) => (now === undefined || hasEnded(now)) && finish());
  });
  return (await jobs.get(job.id)) ?? job;
}
