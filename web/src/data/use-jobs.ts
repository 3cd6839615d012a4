import { useEffect, useState } from 'preact/hooks';
import type { JobCard } from './types.ts';
import { type Loaded, useAnswer } from './use-answer.ts';

const ENDED = new Set<JobCard['status']>(['done', 'failed', 'cancelled']);

export function ended(job: JobCard): boolean {
  return ENDED.has(job.status);
}

/** Background jobs, newest first; those that run are followed as they go. */
export function useJobs(
  limit = 20,
): Loaded<{ readonly jobs: readonly JobCard[] }> & { readonly jobs: readonly JobCard[] } {
  const loaded = useAnswer<{ readonly jobs: readonly JobCard[] }>(`/api/jobs?limit=${limit}`, {
    every: 4_000,
  });
  const listed = loaded.answer?.data.jobs ?? [];
  const [live, setLive] = useState<Readonly<Record<string, JobCard>>>({});
  const running = listed
    .filter((job) => !ended(job))
    .map((job) => job.job_id)
    .join(' ');
  useEffect(() => {
    const sources = running
      .split(' ')
      .filter((id) => id !== '')
      .map((id) => followJob(id, (job) => setLive((known) => ({ ...known, [id]: job }))));
    return () => {
      for (const close of sources) close();
    };
  }, [running]);
  return { ...loaded, jobs: listed.map((job) => (ended(job) ? job : (live[job.job_id] ?? job))) };
}

/** Calls back on every change of a job; returns what stops it. */
export function followJob(id: string, onChange: (job: JobCard) => void): () => void {
  const source = new EventSource(`/api/jobs/${encodeURIComponent(id)}/events`);
  source.addEventListener('job', (event: MessageEvent<string>) => {
    // Our own server's event.
    const job = JSON.parse(event.data) as JobCard;
    onChange(job);
    if (ended(job)) source.close();
  });
  return () => source.close();
}
