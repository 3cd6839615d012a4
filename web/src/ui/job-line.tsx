import { useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { ended, type JobCard } from '../data/use-jobs.ts';
import { pageLinks } from '../frame/router.ts';
import { Badge, Bar, type Tone } from './basics.tsx';
import { countText, durationText } from './format.ts';
import { Ago } from './time.tsx';

const TONES: Readonly<Record<JobCard['status'], Tone>> = {
  queued: 'neutral',
  running: 'running',
  done: 'ok',
  failed: 'failed',
  cancelled: 'warning',
};

const TITLES: Readonly<Record<string, string>> = {
  'disk-index': 'Disk scan',
  'code-index': 'Code index',
  'code-exact': 'Index for text search',
  'code-semantic': 'Index for search by meaning',
  'code-symbols': 'Index of symbols',
  'sessions-index': 'Session logs',
};

/** What a job does. */
export function jobTitle({ kind }: JobCard): string {
  return TITLES[kind] ?? kind;
}

/** The progress of a job in one line. */
function progressText(job: JobCard): string {
  const parts = [
    job.phase,
    job.done === undefined ? undefined : `${countText(job.done)} ${job.unit ?? ''}`,
    job.eta_seconds === undefined ? undefined : `about ${durationText(job.eta_seconds)} left`,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** Says at once that the job is being stopped, or why it could not be. */
export function StopButton({ job }: { readonly job: JobCard }) {
  const [state, setState] = useState<'stopping' | { readonly problem: string }>();
  const stop = async () => {
    setState('stopping');
    await call('job_cancel', { job_id: job.job_id }).catch((error: unknown) =>
      setState({ problem: error instanceof Error ? error.message : String(error) }),
    );
  };
  return (
    <>
      {typeof state === 'object' && <span class="failed">{state.problem}</span>}
      <button
        type="button"
        class="button small plain"
        disabled={state === 'stopping'}
        onClick={() => void stop()}
      >
        {state === 'stopping' ? 'Stopping…' : 'Stop'}
      </button>
    </>
  );
}

/** A job in one line, with its bar while it runs. */
export function JobLine({
  job,
  titled = false,
}: {
  readonly job: JobCard;
  /** What surrounds it already says which job it is and what it does. */
  readonly titled?: boolean;
}) {
  const over = ended(job);
  const subject = job.root ?? job.index_id;
  return (
    <div class={titled ? 'job-line titled' : 'job-line'}>
      {!titled && (
        <a href={pageLinks.job(job.job_id)} class="mono">
          {job.job_id}
        </a>
      )}
      <span class="cut" title={subject}>
        {!titled && `${jobTitle(job)} `}
        {subject !== undefined && <span class="mono quiet">{subject}</span>}
      </span>
      <Badge tone={TONES[job.status]}>{job.status}</Badge>
      <span class="quiet num">
        {over && job.ended_at ? (
          <Ago at={job.ended_at} />
        ) : (
          job.progress_pct !== undefined && `${job.progress_pct}%`
        )}
      </span>
      {!over && (
        <div class="job-progress">
          <Bar share={(job.progress_pct ?? 0) / 100} tone="running" />
          <span class="quiet cut">{progressText(job)}</span>
          <StopButton job={job} />
        </div>
      )}
    </div>
  );
}
