import { useState } from 'preact/hooks';
import { useLive } from './live.ts';
import type { DataOf } from './operations.ts';
import { type Loaded, useAnswer } from './use-answer.ts';

export type JobCard = DataOf<'job_progress'>;

const ENDED = new Set<JobCard['status']>(['done', 'failed', 'cancelled']);

export function ended(job: JobCard): boolean {
  return ENDED.has(job.status);
}

/** Background jobs, newest first, with live progress. */
export function useJobs(limit = 20): Loaded<DataOf<'job_list'>> & { readonly jobs: readonly JobCard[] } {
  const loaded = useAnswer('job_list', { limit });
  const listed = loaded.answer?.data.jobs ?? [];
  const [reported, setReported] = useState<ReadonlyMap<string, JobCard>>(new Map());
  useLive('job', (job) => setReported((known) => new Map(known).set(job.job_id, job)));
  // Jobs that ended before the stream began were not reported.
  useLive('hello', loaded.reload);
  const started = [...reported.values()].filter((job) => !listed.some(({ job_id }) => job_id === job.job_id));
  const jobs = [...started.reverse(), ...listed.map((job) => newer(job, reported.get(job.job_id)))];
  return { ...loaded, jobs: jobs.slice(0, limit) };
}

/** A report is newer than an answer, unless it missed the end of the job. */
function newer(loaded: JobCard, reported: JobCard | undefined): JobCard {
  return reported === undefined || ended(loaded) ? loaded : reported;
}

/** One job with live progress. */
export function useJob(id: string): Loaded<JobCard> & { readonly job: JobCard | undefined } {
  const answer = useAnswer('job_progress', { job_id: id });
  const loaded = answer.answer?.data;
  const [reported, setReported] = useState<JobCard>();
  useLive('job', (job) => {
    if (job.job_id === id) setReported(job);
  });
  const latest = reported?.job_id === id ? reported : undefined;
  return { ...answer, job: loaded === undefined ? latest : newer(loaded, latest) };
}
