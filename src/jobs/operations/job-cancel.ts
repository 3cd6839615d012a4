import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import type { Jobs } from '../jobs.ts';
import { visibleJob } from '../visible-jobs.ts';
import { job_id, jobCard, jobCardSchema, jobText } from './job-progress.ts';

export const jobCancel = operation<{ jobs: Jobs }>()({
  name: 'job_cancel',
  toolset: undefined,
  readOnly: false,
  summary: 'Stop a background job.',
  input: z.strictObject({ job_id }),
  data: jobCardSchema,
  http: 'DELETE /api/jobs/{job_id}',

  async run({ job_id }, ctx) {
    const job = await visibleJob(ctx, job_id);
    return single(jobCard((await ctx.jobs.cancel(job.id)) ?? job, ctx.url));
  },

  text: jobText,
});
