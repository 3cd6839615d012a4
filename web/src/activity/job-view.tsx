import { useJob } from '../data/use-jobs.ts';
import { href } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Panel } from '../ui/basics.tsx';
import { JobLine } from '../ui/job-line.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { reportFacts } from './report-facts.ts';

/** One background job, live, and its report at the end. */
export function JobView({ id }: { readonly id: string }) {
  const { job, error, reload } = useJob(id);
  useTitle(`Job ${id}`);
  return (
    <div class="view">
      <div class="view-head">
        <h1>Job {id}</h1>
        {job?.index_id && <a href={`/disk/${job.index_id}`}>open index {job.index_id}</a>}
        {job?.kind.startsWith('code-') && job.root && (
          <a href={href('/code', { path: job.root })}>search there</a>
        )}
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
              {reportFacts(job.report).map(({ name, value }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
        </Panel>
      )}
    </div>
  );
}
