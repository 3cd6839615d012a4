import { z } from 'zod';
import { at } from '../../contract/at.ts';
import { oneLine } from '../../contract/bytes.ts';
import { columns, sizeText } from '../../contract/format.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { indexHandle } from '../handles.ts';
import { treemapCut } from '../reports/treemap-cut.ts';
import type { DiskServices } from '../services.ts';
import { pathOf } from '../tree/tree-nodes.ts';
import { explainReport, reportInput, reportScope } from './report-scope.ts';

const treemapSchema = z
  .object({
    index_id: z.string(),
    path: z.string(),
    scanned_at: z.string(),
    extensions: z.array(z.string()),
    ids: z.array(z.string()).describe('empty for a rest: the nodes of a folder that are too small to show'),
    names: z.array(z.string()),
    parents: z.array(z.int()).describe('position of the folder that holds the node; the first holds itself'),
    sizes: z.array(z.int()).describe('bytes on the disk'),
    kinds: z
      .array(z.int())
      .describe(
        'position in extensions; -1 for a folder, -2 for a rest, -3 - n for a rest with most of extension n',
      ),
    times: z
      .array(z.number())
      .describe('seconds since 1970, for a folder the latest below it; for a rest the number of its nodes'),
  })
  .describe('columns of equal length; the children of a node are next to each other, largest first');

/** The share of the budget for the columns, and the bytes of everything else. */
const COLUMNS_SHARE = 0.8;
const ENVELOPE_BYTES = 400;

/** For pictures; agents use cd, which says the same in fewer bytes. */
export const diskTreemap = operation<DiskServices>()({
  name: 'disk_treemap',
  toolset: undefined,
  readOnly: true,
  summary: 'Treemap data: the largest nodes at every depth of a folder, column by column.',
  input: z.strictObject(reportInput),
  data: treemapSchema,
  aliases: { path: 'under', parent: 'under' },
  explains: true,
  http: 'GET /api/indexes/{index_id}/treemap',

  async run(input, ctx) {
    const started = performance.now();
    const scope = await reportScope(input, ctx);
    const cut = await treemapCut(scope, ctx.budget * COLUMNS_SHARE - ENVELOPE_BYTES);
    const { row, tree } = scope.open;
    return single<ReadonlyData<typeof treemapSchema>>(
      {
        index_id: indexHandle(row.id),
        path: pathOf(tree, scope.from),
        scanned_at: new Date(tree.meta.scannedAt).toISOString(),
        ...cut,
      },
      { explain: () => explainReport(scope, `cut to ${cut.ids.length} nodes`, started) },
    );
  },

  text: ({ path, names, parents, sizes }, { units }) =>
    `${oneLine(path)}\n${columns(
      names.flatMap((name, i) =>
        i > 0 && parents[i] === 0 ? [[sizeText(at(sizes, i), units), oneLine(name || '(rest)')]] : [],
      ),
      [0],
    )}`,
});
