import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { isPerson } from '../../contract/caller.ts';
import { durationText } from '../../contract/format.ts';
import { type CallContext, operation, single, type TextStyle } from '../../contract/operation.ts';
import { isoTime } from '../../contract/time.ts';
import { pageLinks } from '../../page/page-links.ts';
import { JOB_STATUSES, type Job, type Jobs } from '../jobs.ts';
import { doneText, percent } from '../progress.ts';
import { visibleJob } from '../visible-jobs.ts';
import { waitForJob } from '../wait-for-job.ts';
import { reportLines } from './report-text.ts';

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
  status_url: z.string().optional().describe('absent where no server answers'),
  progress_url: z.string().optional().describe('a stream of events until the job ends'),
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
    progress_url: url(`/api/jobs/${job.id}/events`),
  };
}

const REPORTS = ['largest', 'extensions', 'ages', 'duplicates', 'growth'] as const;

/** The links of an answer about a job: its page, and the reports on the index that it made. */
export function jobLinks({ job_id, index_id, kind, status }: JobCard, url: (path: string) => string) {
  const reports = status === 'done' && index_id !== undefined && kind === 'disk-index' ? REPORTS : [];
  const entries = reports.map((name) => [name, url(`/api/indexes/${index_id}/reports/${name}`)]);
  return {
    link: url(pageLinks.job(job_id)),
    ...(entries.length > 0 && { links: Object.fromEntries(entries) }),
  };
}

/** Kinds of jobs in words that people know. */
const KINDS: Readonly<Record<string, string>> = {
  'disk-index': 'disk scan',
  'code-index': 'code index',
  'code-exact': 'index for text search',
  'code-semantic': 'index for search by meaning',
  'code-symbols': 'index of symbols',
  'sessions-index': 'session logs',
};

const kindText = (kind: string) => KINDS[kind] ?? kind;

/** A job in one line, with its report below. A finished job shows its report alone. */
export function jobText(card: JobCard, style: Pick<TextStyle, 'units' | 'zone'>): string {
  const lines = card.report
    ? reportLines(card.report, style)
        .map((line) => `\n${line}`)
        .join('')
    : '';
  if (card.status === 'done' && card.report)
    return `${card.index_id ?? card.job_id} ${card.root ?? kindText(card.kind)}${lines}`;
  const share = card.progress_pct === undefined ? '' : `  ${card.progress_pct} %`;
  const done = card.done === undefined ? '' : `  ${doneText(card.done, card.unit)}`;
  const eta = card.eta_seconds === undefined ? '' : `  about ${durationText(card.eta_seconds)} left`;
  return `${card.job_id} ${kindText(card.kind)} ${card.status}${share}${done}${eta}${card.root ? `  ${card.root}` : ''}${card.error ? `\n${card.error}` : ''}${lines}`;
}

export const job_id = z.string().max(20).describe('a job, e.g. j7');

const MAX_WAIT_SECONDS = 25;
/** Long enough for most folders, short enough for a client that shows nothing meanwhile. */
const WAIT_SECONDS = 8;

export const wait_seconds = z
  .number()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .optional()
  .describe(`wait for the end (default: ${WAIT_SECONDS}, for people 0)`);

/** How long a call waits for its job. People see progress meanwhile. */
export function waitMs(given: number | undefined, caller: CallContext['caller']): number {
  return 1_000 * (given ?? (isPerson(caller) ? 0 : WAIT_SECONDS));
}

export const jobProgressInput = z.strictObject({
  job_id,
  cancel: z.boolean().optional().describe('stop the job'),
  wait_seconds,
});

export const jobProgress = operation<{ jobs: Jobs }>()({
  name: 'job_progress',
  toolset: 'every',
  readOnly: false,
  linked: true,
  summary: 'Progress of a background job, and its report at the end. cancel stops it.',
  input: jobProgressInput,
  data: jobCardSchema,
  // A model asks again and again, whatever the length of the names in a report.
  glance: 2_500,
  aliases: { id: 'job_id', job: 'job_id' },
  http: 'GET /api/jobs/{job_id}',
  command: { words: 'job', positional: ['job_id'], examples: ['pinhole job j7', 'pinhole job j7 --cancel'] },

  async run({ job_id, cancel, wait_seconds }, ctx) {
    const { jobs, url } = ctx;
    const job = await visibleJob(ctx, job_id);
    const now = cancel
      ? ((await jobs.cancel(job.id)) ?? job)
      : await waitForJob(jobs, job, waitMs(wait_seconds, ctx.caller), ctx.signal);
    const card = jobCard(now, url);
    return single(card, jobLinks(card, url));
  },

  text: jobText,
});
