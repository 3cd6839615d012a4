import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Services } from '../app/services.ts';
import { ERROR_STATUS, PinholeError } from '../contract/errors.ts';
import { jobCard } from '../jobs/operations/job-progress.ts';

const ENDED = new Set(['done', 'failed', 'cancelled']);

/** `GET /api/jobs/{id}/events`: one event a change, until the job ends. */
export function jobEvents(app: Hono, { jobs }: Pick<Services, 'jobs'>, url: (path: string) => string): void {
  app.get('/api/jobs/:job_id/events', async (c) => {
    const id = c.req.param('job_id');
    const first = await jobs.get(id);
    if (first === undefined) {
      const error = new PinholeError('not_found', `There is no job '${id.slice(0, 20)}'.`);
      return c.json(error.toBody(), ERROR_STATUS.not_found);
    }
    return streamSSE(c, async (stream) => {
      await new Promise<void>((resolve) => {
        const send = async (job: typeof first) => {
          await stream.writeSSE({ event: 'job', data: JSON.stringify(jobCard(job, url)) });
          if (ENDED.has(job.status)) resolve();
        };
        const stop = jobs.watch(id, (job) => void send(job));
        stream.onAbort(() => {
          stop();
          resolve();
        });
        // Read again after subscribing, so that an end in between is not missed.
        void jobs.get(id).then((job) => job && send(job));
      });
    });
  });
}
