import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { columns, sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { indexHandle } from '../handles.ts';
import { type TreemapCut, treemapCut } from '../reports/treemap-cut.ts';
import { pathOf } from '../tree/tree-nodes.ts';
import type { DiskServices } from './choose.ts';
import { explained, reportInput, reportScope } from './report-input.ts';

interface Treemap extends TreemapCut {
  readonly index_id: string;
  readonly path: string;
  readonly scanned_at: string;
}

/** For pictures: an agent asks cd, which says the same in fewer bytes. */
export const diskTreemap = operation<DiskServices>()({
  name: 'disk_treemap',
  toolset: undefined,
  readOnly: true,
  summary: 'What a picture of a folder shows: its largest nodes at all depths, as columns.',
  input: z.strictObject(reportInput),
  aliases: { path: 'under', parent: 'under' },
  explains: true,
  http: 'GET /api/indexes/{index_id}/treemap',

  async run(input, ctx) {
    const started = performance.now();
    const scope = await reportScope(input, ctx);
    const cut = await treemapCut(scope, ctx.caller.budget * 0.8 - 400);
    const { row, tree } = scope.open;
    return single<Treemap>(
      {
        index_id: indexHandle(row.id),
        path: pathOf(tree, scope.from),
        scanned_at: new Date(tree.meta.scannedAt).toISOString(),
        ...cut,
      },
      { explain: () => explained(scope, `cut to ${cut.ids.length} nodes`, started) },
    );
  },

  text: ({ path, names, parents, sizes }, { units }) =>
    `${oneLine(path)}\n${columns(
      names.flatMap((name, i) =>
        i > 0 && parents[i] === 0 ? [[sizeText(sizes[i] ?? 0, units), oneLine(name || '(rest)')]] : [],
      ),
      [0],
    )}`,
});
