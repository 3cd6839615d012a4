import { indexFolder } from './index-folder.ts';
import { jobCancel } from './job-cancel.ts';
import { jobList } from './job-list.ts';
import { jobProgress } from './job-progress.ts';

/** The operations on jobs, in the order in which tools are listed. */
export const JOB_OPERATIONS = [indexFolder, jobProgress, jobList, jobCancel] as const;
