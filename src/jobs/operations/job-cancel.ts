import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { operation, single } from '../../contract/operation.ts';
import type { Jobs } from '../jobs.ts';
import { jobCard, jobText } from './job-progress.ts';

export const jobCancel = operation<{ jobs: Jobs }>()({
  name: 'job_cancel',
  toolset: undefined,
  readOnly: false,
  summary: 'Stop a background job.',
  input: z.strictObject({ job_id: z.string().max(20) }),
  http: 'DELETE /api/jobs/{job_id}',

  async run({ job_id }, { jobs, url }) {
    const job = await jobs.cancel(job_id);
    if (job === undefined) fail('not_found', `There is no job '${job_id}'.`);
    return single(jobCard(job, url));
  },

  text: jobText,
});
