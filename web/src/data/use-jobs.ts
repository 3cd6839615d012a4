import { useState } from 'preact/hooks';
import type { JobCard } from '../../../src/jobs/operations/job-progress.ts';
import { useLive } from './live.ts';
import { type Loaded, useAnswer } from './use-answer.ts';

const ENDED = new Set<JobCard['status']>(['done', 'failed', 'cancelled']);

export function ended(job: JobCard): boolean {
  return ENDED.has(job.status);
}

interface JobPage {
  readonly jobs: readonly JobCard[];
}

/** Background jobs, newest first; those that run or begin are followed as they go. */
export function useJobs(limit = 20): Loaded<JobPage> & { readonly jobs: readonly JobCard[] } {
  const loaded = useAnswer<JobPage>(`/api/jobs?limit=${limit}`);
  const listed = loaded.answer?.data.jobs ?? [];
  const [told, setTold] = useState<ReadonlyMap<string, JobCard>>(new Map());
  useLive('job', (job) => setTold((known) => new Map(known).set(job.job_id, job)));
  const begun = [...told.values()].filter((job) => !listed.some(({ job_id }) => job_id === job.job_id));
  const jobs = [...begun.reverse(), ...listed.map((job) => told.get(job.job_id) ?? job)];
  return { ...loaded, jobs: jobs.slice(0, limit) };
}

/** One job as it goes; undefined until something is told of it. */
export function useToldJob(id: string): JobCard | undefined {
  const [told, setTold] = useState<JobCard>();
  useLive('job', (job) => {
    if (job.job_id === id) setTold(job);
  });
  return told?.job_id === id ? told : undefined;
}
