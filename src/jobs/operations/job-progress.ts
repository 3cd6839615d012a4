import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { countText, durationText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { isoTime } from '../../contract/time.ts';
import { pageLinks } from '../../page/page-links.ts';
import { JOB_STATUSES, type Job, type Jobs } from '../jobs.ts';
import { percent } from '../progress.ts';
import { visibleJob } from '../visible-jobs.ts';

export const jobCardSchema = z.object({
  job_id: z.string(),
  kind: z.string(),
  root: z.string().optional().describe('the folder it is about'),
  status: z.enum(JOB_STATUSES),
  phase: z.string().optional(),
  done: z.number().optional(),
  unit: z.string().optional(),
  progress_pct: z.number().optional(),
  eta_seconds: z.number().optional(),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
  index_id: z.string().optional(),
  report: z.record(z.string(), z.unknown()).optional(),
  error: z.string().optional(),
  status_url: z.string(),
});

export type JobCard = Readonly<z.infer<typeof jobCardSchema>>;

/** A job as callers see it. */
export function jobCard(job: Job, url: (path: string) => string): JobCard {
  const indexId = job.report?.index_id;
  return {
    job_id: job.id,
    kind: job.kind,
    // Work on a folder is named by it.
    root: isAbsolute(job.key) ? job.key : undefined,
    status: job.status,
    phase: job.progress?.phase,
    done: job.progress?.done,
    unit: job.progress?.unit,
    progress_pct: job.status === 'done' ? 100 : percent(job.progress),
    eta_seconds: job.eta_seconds,
    started_at: isoTime(job.started_at),
    ended_at: isoTime(job.ended_at),
    index_id: typeof indexId === 'string' ? indexId : undefined,
    report: job.report,
    error: job.error,
    status_url: url(`/api/jobs/${job.id}`),
  };
}

export function jobText(card: JobCard): string {
  const share = card.progress_pct === undefined ? '' : `  ${card.progress_pct} %`;
  const done = card.done === undefined ? '' : `  ${countText(card.done)} ${card.unit}`;
  const eta = card.eta_seconds === undefined ? '' : `  about ${durationText(card.eta_seconds)} left`;
  const report = card.report
    ? `\n${Object.entries(card.report)
        .map(([k, v]) => `${k}: ${typeof v === 'object' ? JSON.stringify(v) : v}`)
        .join('\n')}`
    : '';
  return `${card.job_id} ${card.kind} ${card.status}${share}${done}${eta}${card.root ? `  ${card.root}` : ''}${card.error ? `\n${card.error}` : ''}${report}`;
}

export const job_id = z.string().max(20).describe('a job, e.g. j7');

export const jobProgressInput = z.strictObject({
  job_id,
  cancel: z.boolean().optional().describe('stop the job'),
});

export const jobProgress = operation<{ jobs: Jobs }>()({
  name: 'job_progress',
  toolset: 'every',
  readOnly: false,
  linked: true,
  summary: 'How far a background job is, and its report at the end. cancel stops it.',
  input: jobProgressInput,
  data: jobCardSchema,
  // A model asks again and again, whatever the length of the names in a report.
  glance: 2_500,
  aliases: { id: 'job_id', job: 'job_id' },
  http: 'GET /api/jobs/{job_id}',
  command: { words: 'job', positional: ['job_id'], examples: ['pinhole job j7', 'pinhole job j7 --cancel'] },

  async run({ job_id, cancel }, ctx) {
    const { jobs, url } = ctx;
    const job = await visibleJob(ctx, job_id);
    const card = jobCard(cancel ? ((await jobs.cancel(job.id)) ?? job) : job, url);
    return single(card, { link: url(pageLinks.job(card.job_id)) });
  },

  text: jobText,
});
