import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { columns, sizeText } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { timeOf } from '../../contract/time.ts';
import { nodeHandle } from '../handles.ts';
import { ageOf } from '../indexes/freshness.ts';
import type { Growth } from '../reports/growth-report.ts';
import { pathOf } from '../tree/tree-nodes.ts';
import type { DiskServices } from './choose.ts';
import { explained, reportInput, reportScope } from './report-input.ts';

interface GrownFolder {
  readonly node_id: string;
  readonly path: string;
  readonly gone?: boolean | undefined;
  readonly grown: number;
  readonly disk_size: number;
  readonly files: number;
  readonly new?: boolean | undefined;
}

interface GrowthData {
  readonly since?: string | undefined;
  readonly generation?: number | undefined;
  readonly folders: readonly GrownFolder[];
}

export const reportGrowth = operation<DiskServices>()({
  name: 'disk_growth',
  toolset: undefined,
  readOnly: true,
  summary: 'Which folders grew or shrank since an earlier scan.',
  input: z.strictObject({
    index_id: reportInput.index_id,
    under: reportInput.under,
    since: z.string().max(40).optional(),
  }),
  limit: { default: 20, max: 500 },
  rows: 'folders',
  columns: ['node_id', 'path', 'grown', 'disk_size', 'files', 'new', 'gone'],
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
    const since = timeOf('since', input.since, ctx.now());
    const report = await ctx.disk.reports.growth(scope.open, scope, since);
    const toRow = ({ row, path, id, before, now, grown }: Growth): GrownFolder => ({
      node_id: nodeHandle(id),
      path: row === undefined ? (path ?? '') : pathOf(scope.tree, row),
      gone: row === undefined ? true : undefined,
      grown,
      disk_size: now?.disk ?? 0,
      files: now?.files ?? 0,
      new: before === undefined ? true : undefined,
    });
    return page<GrownFolder, GrowthData>({
      rows: report.folders.map(toRow),
      position: ({ node_id }) => node_id,
      shape: (folders) => ({
        since: report.since && new Date(report.since.scanned_at).toISOString(),
        generation: report.since?.generation,
        folders,
      }),
      keep: {},
      meta: ageOf(scope.open, ctx.now()),
      explain: () =>
        explained(scope, `folder totals against generation ${report.since?.generation ?? 'none'}`, started),
    });
  },

  text({ since, folders }, { units }) {
    if (since === undefined) return 'There is only one scan so far; the next one tells what grew.';
    if (folders.length === 0) return `Nothing changed since ${since}.`;
    const rows = folders.map((folder) => [
      folder.node_id,
      `${folder.grown < 0 ? '-' : '+'}${sizeText(Math.abs(folder.grown), units)}`,
      sizeText(folder.disk_size, units),
      `${oneLine(folder.path)}${folder.gone ? '  (gone)' : ''}`,
    ]);
    return `since ${since}\n${columns(rows, [1, 2])}`;
  },
});
