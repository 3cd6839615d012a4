import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import { agoText, sizeText } from '../../contract/people.ts';
import { isoTime } from '../../contract/time.ts';
import type { Services } from '../services.ts';

export const health = operation<Pick<Services, 'about' | 'jobs'>>()({
  name: 'health',
  toolset: undefined,
  readOnly: true,
  summary: 'Whether Pinhole runs, since when, and what it is doing.',
  input: z.strictObject({}),
  http: 'GET /api/health',
  command: { words: 'health', examples: ['pinhole health --json'] },

  run: (_input, { about, jobs }) =>
    single({
      status: 'ok',
      version: about.version,
      pid: process.pid,
      started_at: isoTime(about.started_at),
      memory_bytes: process.memoryUsage.rss(),
      jobs_running: jobs.busy(),
    }),

  text: (data, { now }) =>
    `Pinhole ${data.version} runs (pid ${data.pid}, started ${agoText(Date.parse(data.started_at), now)}, ${sizeText(data.memory_bytes)} memory${data.jobs_running ? ', jobs running' : ''})`,
});
