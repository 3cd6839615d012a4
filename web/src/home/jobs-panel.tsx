import { ended, useJobs } from '../data/use-jobs.ts';
import { pageLinks } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { JobLine } from '../ui/job-line.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';

/** Background jobs: those running, and the last few that ended; `all` links to Activity. */
export function JobsPanel({ all = true }: { readonly all?: boolean }) {
  const { jobs, answer, error, reload } = useJobs();
  const running = jobs.filter((job) => !ended(job));
  const shown = [...running, ...jobs.filter(ended).slice(0, 5)];
  return (
    <Panel
      title="Jobs"
      busy={answer === undefined && !error}
      aside={running.length > 0 ? `${running.length} running` : all && <a href={pageLinks.activity()}>All</a>}
    >
      {answer === undefined && error && <Failure error={error} retry={reload} />}
      {answer === undefined && !error && <Skeleton lines={3} />}
      {answer && shown.length === 0 && <p class="hint-line">No background jobs yet.</p>}
      <ul class="rows">
        {shown.map((job) => (
          <li key={job.job_id}>
            <JobLine job={job} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
