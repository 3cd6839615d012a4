import { segment } from '../frame/router.ts';
import { ActivityOverview } from './activity-overview.tsx';
import { JobView } from './job-view.tsx';
import './activity.css';

/** Calls to Pinhole, and its background jobs. */
export default function ActivityPage() {
  const job = segment(1);
  return job === undefined ? <ActivityOverview /> : <JobView key={job} id={job} />;
}
