import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Services } from '../app/services.ts';
import { toJson } from '../contract/bytes.ts';
import { redactDeep } from '../contract/redact.ts';
import { jobCard } from '../jobs/operations/job-progress.ts';
import { visibleJob } from '../jobs/visible-jobs.ts';
import { requestRoots } from './person.ts';

const ENDED = new Set(['done', 'failed', 'cancelled']);

/** The data of an event, redacted like every answer. */
export const eventData = (data: unknown): string => toJson(redactDeep(data));

/** `GET /api/jobs/{id}/events`: one event per change, until the job ends. */
export function jobEvents(
  app: Hono,
  services: Pick<Services, 'jobs' | 'about' | 'allowed' | 'agentFolders'>,
  url: (path: string) => string,
): void {
  const { jobs } = services;
  app.get('/api/jobs/:job_id/events', async (c) => {
    const id = c.req.param('job_id');
    const first = await visibleJob({ jobs, roots: await requestRoots(c, services) }, id);
    return streamSSE(c, async (stream) => {
      await new Promise<void>((resolve) => {
        const send = async (job: typeof first) => {
          await stream.writeSSE({ event: 'job', data: eventData(jobCard(job, url)) });
          if (ENDED.has(job.status)) resolve();
        };
        const stop = jobs.watch(id, (job) => void send(job));
        stream.onAbort(() => {
          stop();
          resolve();
        });
        // Read again after subscribing, in case the job ended in between.
        void jobs.get(id).then((job) => job && send(job));
      });
    });
  });
}
