import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { fail, inputMessage } from '../../contract/errors.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { callJobProgress } from '../calls.ts';
import { INDEX_SUBJECTS, type Indexers } from '../indexers.ts';
import type { Jobs } from '../jobs.ts';
import { hasEnded, waitForJob } from '../wait-for-job.ts';
import { jobCard, jobCardSchema, jobLinks, jobText, wait_seconds, waitMs } from './job-progress.ts';

const indexStarted = jobCardSchema
  .pick({
    job_id: true,
    index_id: true,
    status: true,
    progress_pct: true,
    eta_seconds: true,
    report: true,
    error: true,
    status_url: true,
    progress_url: true,
  })
  .extend({ cwd_hint: z.string() });

export const indexFolderInput = z.strictObject({
  root: z.string().min(1).max(4096).default('.').describe('the folder to index'),
  what: z.enum(INDEX_SUBJECTS).default('disk').describe('what to index'),
  depth_limit: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('levels of folders to keep; deeper ones count towards their parent'),
  follow_symlinks: z.boolean().optional().describe('follow symbolic links to folders'),
  one_file_system: z
    .boolean()
    .optional()
    .describe('stay on one file system (default); --no-one-file-system to cross'),
  exclude: z.array(z.string().max(500)).max(100).optional().describe('globs to leave out'),
  full: z.boolean().optional().describe('read everything again, not only what changed'),
  wait_seconds,
});

export const indexFolder = operation<{ indexers: Indexers; jobs: Jobs }>()({
  name: 'index',
  toolset: 'every',
  readOnly: false,
  summary: 'Index a folder now; reports totals and what grew since the last time.',
  input: indexFolderInput,
  data: indexStarted,
  unlisted: ['depth_limit', 'follow_symlinks', 'one_file_system', 'full'],
  aliases: { path: 'root' },
  http: 'POST /api/indexes',
  command: {
    words: 'index',
    positional: ['root'],
    examples: ['pinhole index ~', 'pinhole index . --what code', 'pinhole index / --exclude node_modules'],
  },

  async run(input, { indexers, jobs, roots, caller, signal, url }) {
    const root = await roots.resolve(input.root);
    if (!(await stat(root)).isDirectory()) fail('invalid_parameter', `'${root}' is not a folder.`);
    const indexer = indexers[input.what];
    if (indexer === undefined)
      fail(
        'invalid_parameter',
        inputMessage`${{ input: 'what' }} must be one of ${Object.keys(indexers).join(', ')}.`,
      );
    const { job, indexId } = await indexer.startIndex({
      root,
      allowed: roots.folders,
      depthLimit: input.depth_limit,
      followSymlinks: input.follow_symlinks ?? false,
      oneFileSystem: input.one_file_system ?? true,
      exclude: input.exclude ?? [],
      full: input.full ?? false,
    });
    const ended = await waitForJob(jobs, job, waitMs(input.wait_seconds, caller), signal);
    const card = { ...jobCard(ended, url), index_id: indexId };
    const { job_id, status, progress_pct, eta_seconds, report, error, status_url, progress_url } = card;
    return single<ReadonlyData<typeof indexStarted>>(
      {
        job_id,
        index_id: indexId,
        status,
        progress_pct: hasEnded(ended) ? undefined : progress_pct,
        eta_seconds,
        report,
        error,
        status_url,
        progress_url,
        cwd_hint: root,
      },
      {
        ...jobLinks(card, url),
        next: hasEnded(ended) ? undefined : [callJobProgress({ job_id })],
      },
    );
  },

  text: ({ cwd_hint, ...card }, style) => jobText({ ...card, kind: 'index', root: cwd_hint }, style),
});
