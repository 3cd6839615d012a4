import { z } from 'zod';
import { agoText, sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { isoTime } from '../../contract/time.ts';
import type { Services } from '../services.ts';

export const health = operation<Pick<Services, 'about' | 'jobs'>>()({
  name: 'health',
  toolset: undefined,
  readOnly: true,
  summary: 'Whether Pinhole is running, since when, and how busy it is.',
  input: z.strictObject({}),
  data: z.object({
    status: z.literal('ok'),
    version: z.string(),
    pid: z.int(),
    started_at: z.string(),
    memory_bytes: z.int(),
    jobs_running: z.boolean(),
  }),
  http: 'GET /api/health',
  command: { words: 'health', examples: ['pinhole health --json'] },

  run: (_input, { about, jobs }) =>
    single({
      status: 'ok' as const,
      version: about.version,
      pid: process.pid,
      started_at: isoTime(about.started_at),
      memory_bytes: process.memoryUsage.rss(),
      jobs_running: jobs.busy(),
    }),

  text: (data, { now }) =>
    `Pinhole ${data.version} is running (pid ${data.pid}, started ${agoText(Date.parse(data.started_at), now)}, ${sizeText(data.memory_bytes)} memory${data.jobs_running ? ', jobs running' : ''})`,
});
