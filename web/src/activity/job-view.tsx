import { countText } from '../../../src/contract/people.ts';
import type { JobCard } from '../data/types.ts';
import { useAnswer } from '../data/use-answer.ts';
import { useToldJob } from '../data/use-jobs.ts';
import { Panel } from '../ui/basics.tsx';
import { JobLine } from '../ui/job-line.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';

/** One background job, live, and its report at the end. */
export function JobView({ id }: { readonly id: string }) {
  const { answer, error, reload } = useAnswer<JobCard>(`/api/jobs/${encodeURIComponent(id)}`);
  const told = useToldJob(id);
  const job = told ?? answer?.data;
  return (
    <div class="view">
      <div class="view-head">
        <h1>Job {id}</h1>
        {job?.index_id && <a href={`/disk/${job.index_id}`}>open index {job.index_id}</a>}
      </div>
      {error && !job && (
        <Failure error={error} retry={reload}>
          <a href="/activity">All activity</a>
        </Failure>
      )}
      {!job && !error && <Skeleton lines={4} />}
      {job && (
        <Panel title={job.kind}>
          <JobLine job={job} />
          {job.error && <p class="panel-body failed">{job.error}</p>}
          {job.report && (
            <dl class="facts panel-body">
              {Object.entries(job.report).map(([name, value]) => (
                <div key={name}>
                  <dt>{name.replaceAll('_', ' ')}</dt>
                  <dd class="mono">{fact(value)}</dd>
                </div>
              ))}
            </dl>
          )}
        </Panel>
      )}
    </div>
  );
}

function fact(value: unknown): string {
  if (typeof value === 'number') return countText(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
