import { z } from 'zod';
import { operation, page } from '../../contract/operation.ts';
import type { Job, Jobs } from '../jobs.ts';
import { maySeeJob } from '../visible-jobs.ts';
import { type JobCard, jobCard, jobCardSchema, jobText } from './job-progress.ts';

export const jobList = operation<{ jobs: Jobs }>()({
  name: 'job_list',
  toolset: undefined,
  readOnly: true,
  summary: 'Background jobs, newest first.',
  input: z.strictObject({}),
  limit: { default: 20, max: 200 },
  data: z.object({ jobs: z.array(jobCardSchema) }),
  rows: 'jobs',
  http: 'GET /api/jobs',
  command: { words: 'jobs', examples: ['pinhole jobs'] },

  async run(_input, { jobs, after, limit, roots, url }) {
    async function* rows() {
      let before = typeof after === 'number' ? after : undefined;
      for (;;) {
        const some = await jobs.list(before, limit + 1);
        for (const job of some) if (maySeeJob(job, roots)) yield job;
        const last = some.at(-1);
        if (last === undefined || some.length <= limit) return;
        before = Number(last.id.slice(1));
      }
    }
    return page<Job, { jobs: JobCard[] }>({
      rows: rows(),
      position: (job) => Number(job.id.slice(1)),
      shape: (shown) => ({ jobs: shown.map((job) => jobCard(job, url)) }),
    });
  },

  text: ({ jobs }, style) =>
    jobs.length === 0 ? 'No jobs yet.' : jobs.map(({ report, ...card }) => jobText(card, style)).join('\n'),
});
