import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { columns, sizeText } from '../../contract/format.ts';
import { operation, page, type ReadonlyData, type TextStyle } from '../../contract/operation.ts';
import { indexHandle } from '../handles.ts';
import { ageOf } from '../indexes/freshness.ts';
import { largestFiles } from '../reports/largest-files.ts';
import { type NodeRow, nodeRow, nodeRowSchema } from '../reports/node-rows.ts';
import type { DiskServices } from '../services.ts';
import { explainReport, reportInput, reportScope } from './report-scope.ts';

const by = z.enum(['disk_size', 'size', 'age']);

const largestSchema = z.object({
  by: by.describe('what the files are sorted by'),
  index_id: z.string(),
  files: z.array(nodeRowSchema.extend({ link: z.string().optional() })),
});

type Largest = ReadonlyData<typeof largestSchema>;

const MAX_FILES = 1_000;

export const diskLargest = operation<DiskServices>()({
  name: 'disk_largest',
  toolset: undefined,
  readOnly: true,
  summary: 'The largest files below a folder.',
  input: z.strictObject({
    ...reportInput,
    by: by
      .default('disk_size')
      .describe('what comes first: most space on the disk, most content, or the oldest (age)'),
  }),
  limit: { default: 20, max: 500 },
  data: largestSchema,
  rows: 'files',
  rowLink: '/api/indexes/{index_id}/nodes/{node_id}',
  explains: true,
  aliases: { path: 'under', parent: 'under' },
  http: 'GET /api/indexes/{index_id}/reports/largest',
  command: {
    words: 'disk largest',
    positional: ['under'],
    examples: ['pinhole disk largest ~', 'pinhole disk largest . --limit 50 --by size'],
  },

  async run(input, ctx) {
    const started = performance.now();
    const scope = await reportScope(input, ctx);
    const found = await largestFiles(scope, input.by, MAX_FILES);
    return page<NodeRow, Largest>({
      rows: found.map(({ row }) => nodeRow(scope.tree, row, ctx.zone)),
      position: (row) => row.node_id,
      shape: (files) => ({ by: input.by, index_id: indexHandle(scope.open.row.id), files }),
      keep: {},
      meta: ageOf(scope.open, scope.from, ctx.now()),
      links: { entry: ctx.url(`/disk/${indexHandle(scope.open.row.id)}/{node_id}`) },
      explain: () => explainReport(scope, `the first ${MAX_FILES} files by ${input.by}`, started),
    });
  },

  text: ({ by, files }, { units, paint }) =>
    files.length === 0
      ? 'No files.'
      : columns(
          files.map((row) => [
            paint('aside', row.node_id),
            paint('size', sizeText(by === 'size' ? row.size : row.disk_size, units)),
            row.modified_at,
            oneLine(row.path) + otherSize(row, by, units),
          ]),
          [1],
        ),
});

/** The size that the files are not sorted by, where it differs. */
function otherSize({ size, disk_size }: NodeRow, by: Largest['by'], units: TextStyle['units']): string {
  const [sorted, other] = by === 'size' ? [size, disk_size] : [disk_size, size];
  const text = sizeText(other, units);
  if (text === sizeText(sorted, units)) return '';
  return by === 'size' ? `  (${text} on disk)` : `  (${text} of content)`;
}
