import type { Hono } from 'hono';
import type { Services } from '../app/services.ts';
import type { Gauge } from '../contract/metrics.ts';
import type { Job } from '../jobs/jobs.ts';

const MAX_JOBS = 1_000;
const WAITING: readonly Job['status'][] = ['queued', 'running'];

/** `GET /metrics`, for Prometheus. */
export function metricsRoute(
  app: Hono,
  { metrics, team, jobs }: Pick<Services, 'metrics' | 'team' | 'jobs'>,
): void {
  app.get('/metrics', async (c) => {
    const listed = await jobs.list(undefined, MAX_JOBS);
    const queue: Gauge = {
      name: 'pinhole_jobs',
      help: 'Jobs that are queued or running.',
      values: WAITING.map((status) => ({
        labels: { status },
        value: listed.filter((job) => job.status === status).length,
      })),
    };
    const text = metrics.text([queue, ...((await team?.gauges()) ?? [])]);
    return c.body(text, 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
}
