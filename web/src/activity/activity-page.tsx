import { segment } from '../frame/router.ts';
import { JobView } from './job-view.tsx';
import { ActivityOverview } from './overview.tsx';
import './activity.css';

/** What was asked of Pinhole, and its background work. */
export default function ActivityPage() {
  const job = segment(1);
  return job === undefined ? <ActivityOverview /> : <JobView key={job} id={job} />;
}
