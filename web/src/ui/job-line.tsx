import { countText, durationText } from '../../../src/contract/people.ts';
import { call } from '../data/client.ts';
import type { JobCard } from '../data/types.ts';
import { ended } from '../data/use-jobs.ts';
import { Badge, Bar, type Tone } from './basics.tsx';
import { Ago } from './time.tsx';

const TONES: Readonly<Record<JobCard['status'], Tone>> = {
  queued: 'neutral',
  running: 'running',
  done: 'ok',
  failed: 'failed',
  cancelled: 'warning',
};

/** How far a job is, in words. */
export function jobProgress(job: JobCard): string {
  const parts = [
    job.phase,
    job.done === undefined ? undefined : `${countText(job.done)} ${job.unit ?? ''}`,
    job.eta_seconds === undefined ? undefined : `about ${durationText(job.eta_seconds)} left`,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** A job in one line, with its bar while it runs. */
export function JobLine({ job }: { readonly job: JobCard }) {
  const over = ended(job);
  const about = job.root ?? job.index_id;
  return (
    <div class="job-line">
      <a href={`/activity/${job.job_id}`} class="mono">
        {job.job_id}
      </a>
      <span class="cut" title={about}>
        {job.kind}
        {about !== undefined && <span class="mono quiet"> {about}</span>}
      </span>
      <Badge tone={TONES[job.status]}>{job.status}</Badge>
      <span class="quiet num">
        {over && job.ended_at ? (
          <Ago at={job.ended_at} />
        ) : (
          job.progress_pct !== undefined && `${job.progress_pct} %`
        )}
      </span>
      {!over && (
        <div class="job-progress">
          <Bar share={(job.progress_pct ?? 0) / 100} tone="running" />
          <span class="quiet cut">{jobProgress(job)}</span>
          <button
            type="button"
            class="button small plain"
            onClick={() => void call('DELETE', `/api/jobs/${job.job_id}`).catch(() => {})}
          >
            Stop
          </button>
        </div>
      )}
    </div>
  );
}
