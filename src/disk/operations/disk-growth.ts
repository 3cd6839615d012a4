import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { columns, sizeText } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { timeOf } from '../../contract/time.ts';
import { nodeHandle } from '../handles.ts';
import { ageOf } from '../indexes/freshness.ts';
import type { Growth } from '../reports/growth-report.ts';
import type { DiskServices } from '../services.ts';
import { pathOf } from '../tree/tree-nodes.ts';
import { disk_size, files } from './data-fields.ts';
import { chosen_index_id, under } from './input-fields.ts';
import { explainReport, reportScope } from './report-scope.ts';

const growthSchema = z.object({
  since: z.string().optional().describe('time of the earlier scan; absent if there is none'),
  generation: z.int().optional().describe('generation of the earlier scan'),
  folders: z.array(
    z.object({
      node_id: z.string(),
      path: z.string(),
      grown: z.int().describe('bytes on the disk more than before; negative if it shrank'),
      disk_size,
      files,
      new: z.literal(true).optional(),
      gone: z.literal(true).optional(),
    }),
  ),
});

type GrowthData = ReadonlyData<typeof growthSchema>;
type GrownFolder = GrowthData['folders'][number];

export const diskGrowth = operation<DiskServices>()({
  name: 'disk_growth',
  toolset: undefined,
  readOnly: true,
  summary: 'Which folders grew or shrank since an earlier scan.',
  input: z.strictObject({
    index_id: chosen_index_id,
    under,
    since: z
      .string()
      .max(40)
      .optional()
      .describe(
        "compare with the scan at this time: a date or an age, e.g. '7d' (default: the previous scan)",
      ),
  }),
  limit: { default: 20, max: 500 },
  data: growthSchema,
  rows: 'folders',
  explains: true,
  aliases: { path: 'under', parent: 'under' },
  http: 'GET /api/indexes/{index_id}/reports/growth',
  command: {
    words: 'disk growth',
    positional: ['under'],
    examples: ['pinhole disk growth ~', 'pinhole disk growth / --since 7d'],
  },

  async run(input, ctx) {
    const started = performance.now();
    const scope = await reportScope(input, ctx);
    const since = timeOf('since', input.since, ctx.now(), ctx.zone);
    const report = await ctx.disk.reports.growth(scope.open, scope, since);
    const toFolder = ({ row, path, id, before, now, grown }: Growth): GrownFolder => ({
      node_id: nodeHandle(id),
      path: row === undefined ? (path ?? '') : pathOf(scope.tree, row),
      gone: row === undefined ? true : undefined,
      grown,
      disk_size: now?.disk ?? 0,
      files: now?.files ?? 0,
      new: before === undefined ? true : undefined,
    });
    return page<GrownFolder, GrowthData>({
      rows: report.folders.map(toFolder),
      position: ({ node_id }) => node_id,
      shape: (folders) => ({
        since: report.since && new Date(report.since.scanned_at).toISOString(),
        generation: report.since?.generation,
        folders,
      }),
      keep: {},
      meta: ageOf(scope.open, scope.from, ctx.now()),
      explain: () =>
        explainReport(
          scope,
          `folder totals compared with generation ${report.since?.generation ?? 'none'}`,
          started,
        ),
    });
  },

  text({ since, folders }, { units, paint }) {
    if (since === undefined) return 'There is only one scan so far; the next one shows what grew.';
    if (folders.length === 0) return `Nothing changed since ${since}.`;
    const rows = folders.map((folder) => [
      paint('aside', folder.node_id),
      paint('size', `${folder.grown < 0 ? '-' : '+'}${sizeText(Math.abs(folder.grown), units)}`),
      sizeText(folder.disk_size, units),
      `${oneLine(folder.path)}${folder.gone ? '  (gone)' : ''}`,
    ]);
    return `since ${since}\n${columns(rows, [1, 2])}`;
  },
});
