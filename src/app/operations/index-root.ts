import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { operation, single } from '../../contract/operation.ts';
import { INDEX_SUBJECTS } from '../../jobs/indexer.ts';
import { pageLinks } from '../../page/page-links.ts';
import type { Services } from '../services.ts';

interface IndexStarted {
  readonly job_id: string;
  readonly index_id?: string | undefined;
  readonly status: string;
  readonly status_url: string;
  readonly cwd_hint: string;
}

export const indexRoot = operation<Pick<Services, 'indexers'>>()({
  name: 'index',
  toolset: 'every',
  readOnly: false,
  summary: 'Index a folder in the background: disk sizes, code or sessions.',
  input: z.strictObject({
    root: z.string().min(1).max(4096).default('.'),
    what: z.enum(INDEX_SUBJECTS).default('disk'),
    depth_limit: z.int().min(1).max(1000).optional(),
    follow_symlinks: z.boolean().optional(),
    one_file_system: z.boolean().optional(),
    exclude: z.array(z.string().max(500)).max(100).optional(),
    full: z.boolean().optional(),
  }),
  unlisted: ['depth_limit', 'follow_symlinks', 'one_file_system', 'full'],
  aliases: { path: 'root' },
  http: 'POST /api/indexes',
  command: {
    words: 'index',
    positional: ['root'],
    examples: ['pinhole index ~', 'pinhole index . --what code', 'pinhole index / --exclude node_modules'],
  },

  async run(input, { indexers, roots, url }) {
    const root = await roots.resolve(input.root);
    if (!(await stat(root)).isDirectory())
      fail(
        'invalid_parameter',
        `root must be a folder, '${root}' is none; pinhole disk inspect FILE tells about a file.`,
      );
    const indexer = indexers[input.what];
    if (indexer === undefined)
      fail('invalid_parameter', `what must be one of ${Object.keys(indexers).join(', ')}.`);
    const { job, indexId } = await indexer.startIndex({
      root,
      allowed: roots.folders,
      depthLimit: input.depth_limit,
      followSymlinks: input.follow_symlinks ?? false,
      oneFileSystem: input.one_file_system ?? true,
      exclude: input.exclude ?? [],
      full: input.full ?? false,
    });
    return single<IndexStarted>(
      {
        job_id: job.id,
        index_id: indexId,
        status: job.status,
        status_url: url(`/api/jobs/${job.id}`),
        cwd_hint: root,
      },
      { hint: `job_progress job_id=${job.id}`, link: url(pageLinks.job(job.id)) },
    );
  },

  text: ({ job_id, index_id, status, cwd_hint }) =>
    `${job_id} ${status}${index_id ? `  index ${index_id}` : ''}  ${cwd_hint}`,
});
