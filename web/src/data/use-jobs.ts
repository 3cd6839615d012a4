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
  // What ended before the stream began was not told.
  useLive('hello', loaded.reload);
  const begun = [...told.values()].filter((job) => !listed.some(({ job_id }) => job_id === job.job_id));
  const jobs = [...begun.reverse(), ...listed.map((job) => later(job, told.get(job.job_id)))];
  return { ...loaded, jobs: jobs.slice(0, limit) };
}

/** What was told is newer than what was asked for, unless it missed the end. */
function later(asked: JobCard, told: JobCard | undefined): JobCard {
  return told === undefined || ended(asked) ? asked : told;
}

/** One job as it goes. */
export function useJob(id: string): Loaded<JobCard> & { readonly job: JobCard | undefined } {
  const loaded = useAnswer<JobCard>(`/api/jobs/${encodeURIComponent(id)}`);
  const asked = loaded.answer?.data;
  const [told, setTold] = useState<JobCard>();
  useLive('job', (job) => {
    if (job.job_id === id) setTold(job);
  });
  const now = told?.job_id === id ? told : undefined;
  return { ...loaded, job: asked === undefined ? now : later(asked, now) };
}
