import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { operation, page } from '../../contract/operation.ts';
import { columns, sizeText } from '../../contract/people.ts';
import { ageOf } from '../freshness.ts';
import { indexHandle } from '../handles.ts';
import { type NodeRow, nodeRow } from '../rows.ts';
import type { DiskServices } from './choose.ts';
import { explained, reportInput, reportScope } from './report-input.ts';

const MOST = 1_000;

export const reportLargest = operation<DiskServices>()({
  name: 'disk_largest',
  toolset: undefined,
  readOnly: true,
  summary: 'The largest files below a folder.',
  input: z.strictObject({ ...reportInput, by: z.enum(['disk_size', 'size']).default('disk_size') }),
  limit: { default: 20, max: 500 },
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
    const found = await ctx.disk.search.largest(scope, input.by, MOST);
    return page<NodeRow, { files: readonly NodeRow[] }>({
      rows: found.map(({ row }) => nodeRow(scope.tree, row)),
      position: (row) => row.node_id,
      shape: (files) => ({ files }),
      keep: {},
      meta: ageOf(scope.open, ctx.now()),
      links: { entry: ctx.url(`/disk/${indexHandle(scope.open.row.id)}/{node_id}`) },
      explain: () => explained(scope, `the ${MOST} files with the most ${input.by}`, started),
    });
  },

  text: ({ files }, { units }) =>
    files.length === 0
      ? 'No files.'
      : columns(
          files.map((row) => [
            row.node_id,
            sizeText(row.disk_size, units),
            sizeText(row.size, units),
            row.modified_at,
            oneLine(row.path),
          ]),
          [1, 2],
        ),
});
