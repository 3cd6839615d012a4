import { callTo } from '../contract/next-call.ts';
import type { indexFolderInput } from './operations/index-folder.ts';
import type { jobProgressInput } from './operations/job-progress.ts';

/** The calls about indexing and jobs that answers and errors suggest. */
export const callIndex = callTo<typeof indexFolderInput>('index');
export const callJobProgress = callTo<typeof jobProgressInput>('job_progress');
