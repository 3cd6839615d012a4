import { useJob } from '../data/use-jobs.ts';
import { pageLinks } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Panel } from '../ui/basics.tsx';
import { JobLine, jobTitle } from '../ui/job-line.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { reportFacts } from './report-facts.ts';

/** One background job with its progress, and its report at the end. */
export function JobView({ id }: { readonly id: string }) {
  const { job, error, reload } = useJob(id);
  useTitle(`Job ${id}`);
  return (
    <div class="view">
      <div class="view-head">
        <h1>Job {id}</h1>
        {job?.index_id && <a href={pageLinks.index(job.index_id)}>Open the map</a>}
        {job?.kind.startsWith('code-') && job.root && (
          <a href={pageLinks.code({ path: job.root })}>Search this folder</a>
        )}
      </div>
      {error && !job && (
        <Failure error={error} retry={reload}>
          <a href={pageLinks.activity()}>All activity</a>
        </Failure>
      )}
      {!job && !error && <Skeleton lines={4} />}
      {job && (
        <Panel title={jobTitle(job)}>
          <JobLine job={job} titled />
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
