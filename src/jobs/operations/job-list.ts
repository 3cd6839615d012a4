import { z } from 'zod';
import { operation, page } from '../../contract/operation.ts';
import type { Job, Jobs } from '../jobs.ts';
import { type JobCard, jobCard, jobText } from './job-progress.ts';

export const jobList = operation<{ jobs: Jobs }>()({
  name: 'job_list',
  toolset: undefined,
  readOnly: true,
  summary: 'Background jobs, newest first.',
  input: z.strictObject({}),
  limit: { default: 20, max: 200 },
  http: 'GET /api/jobs',
  command: { words: 'jobs', examples: ['pinhole jobs'] },

  async run(_input, { jobs, after, limit, url }) {
    const rows = await jobs.list(typeof after === 'number' ? after : undefined, limit + 1);
    return page<Job, { jobs: readonly JobCard[] }>({
      rows,
      position: (job) => Number(job.id.slice(1)),
      shape: (shown) => ({ jobs: shown.map((job) => jobCard(job, url)) }),
    });
  },

  text: ({ jobs }) =>
    jobs.length === 0 ? 'No jobs yet.' : jobs.map(({ report, ...card }) => jobText(card)).join('\n'),
});
