import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { operation, single } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callJobProgress } from '../calls.ts';
import { INDEX_SUBJECTS, type Indexers } from '../indexers.ts';

const indexStarted = z.object({
  job_id: z.string(),
  index_id: z.string().optional(),
  status: z.string(),
  status_url: z.string(),
  cwd_hint: z.string(),
});

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
});

export const indexFolder = operation<{ indexers: Indexers }>()({
  name: 'index',
  toolset: 'every',
  readOnly: false,
  summary: 'Index a folder in the background: disk sizes, code or sessions.',
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

  async run(input, { indexers, roots, url }) {
    const root = await roots.resolve(input.root);
    if (!(await stat(root)).isDirectory()) fail('invalid_parameter', `'${root}' is not a folder.`);
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
    return single<z.infer<typeof indexStarted>>(
      {
        job_id: job.id,
        index_id: indexId,
        status: job.status,
        status_url: url(`/api/jobs/${job.id}`),
        cwd_hint: root,
      },
      { next: [callJobProgress({ job_id: job.id })], link: url(pageLinks.job(job.id)) },
    );
  },

  text: ({ job_id, index_id, status, cwd_hint }) =>
    `${job_id} ${status}${index_id ? `  index ${index_id}` : ''}  ${cwd_hint}`,
});
