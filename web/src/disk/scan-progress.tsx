import { ended, type JobCard } from '../data/use-jobs.ts';
import { Bar } from '../ui/basics.tsx';
import { countText, durationText } from '../ui/format.ts';
import { StopButton } from '../ui/job-line.tsx';

/** The progress of a scan, in the place of the map it will become. */
export function ScanProgress({ job, path }: { readonly job: JobCard | undefined; readonly path: string }) {
  return (
    <section class="scan-progress panel" aria-label="Scan" aria-live="polite">
      <p class="scan-count">
        <strong class="num">{countText(job?.done ?? 0)}</strong> {job?.unit ?? 'entries'} so far
      </p>
      <p class="quiet mono cut">{path}</p>
      <Bar share={(job?.progress_pct ?? 0) / 100} tone="running" />
      <p class="quiet">
        {job?.status === 'queued' ? 'Waiting for another job…' : 'Scanning…'}
        {job?.eta_seconds !== undefined && ` about ${durationText(Math.max(1, job.eta_seconds))} left.`} The
        map appears here by itself.
      </p>
      {job && !ended(job) && <StopButton job={job} />}
    </section>
  );
}
