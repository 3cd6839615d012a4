import { z } from 'zod';
import { at } from '../../contract/at.ts';
import { oneLine } from '../../contract/bytes.ts';
import { columns, sizeText } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { indexHandle, nodeHandle, nodeNumber } from '../handles.ts';
import { nodeRow, nodeRowSchema } from '../reports/node-rows.ts';
import type { DiskServices } from '../services.ts';
import { rowsOfIds } from '../tree/row-spans.ts';
import { selection_id } from './input-fields.ts';
import { visibleSelection } from './visible.ts';

const entriesSchema = z.object({
  entries: z.array(
    z.union([
      nodeRowSchema.extend({ link: z.string() }),
      z.object({
        node_id: z.string(),
        gone: z.literal(true).describe('no longer on the disk'),
        path: z.string().optional().describe('where it was'),
      }),
    ]),
  ),
});

type Entries = ReadonlyData<typeof entriesSchema>;
type SelectionEntry = Entries['entries'][number];

export const resourceSetEntries = operation<DiskServices>()({
  name: 'resource_set_entries',
  toolset: undefined,
  readOnly: true,
  summary: 'All nodes of a selection, ordered by id.',
  input: z.strictObject({ selection_id }),
  limit: { default: 100, max: 1000 },
  data: entriesSchema,
  rows: 'entries',
  http: 'GET /api/resource-sets/{selection_id}/entries',
  command: {
    words: 'disk selection entries',
    positional: ['selection_id'],
    examples: ['pinhole disk selection entries s5'],
  },

  async run({ selection_id }, ctx) {
    const { disk, after, limit, zone, url } = ctx;
    const selection = await visibleSelection(ctx, selection_id);
    const { tree, row } = await disk.indexes.open(indexHandle(selection.index));
    const last = typeof after === 'number' ? after : -1;
    const wanted = selection.nodes.filter((node) => node > last).slice(0, limit + 1);
    const rows = rowsOfIds(tree, wanted);
    const paths = rows.includes(-1) ? selection.paths() : undefined;
    const entries = wanted.map((node, i): SelectionEntry => {
      const found = at(rows, i);
      const handle = nodeHandle(node);
      if (found < 0) return { node_id: handle, gone: true, path: paths?.get(node) };
      return {
        ...nodeRow(tree, found, zone),
        link: url(`/api/indexes/${indexHandle(row.id)}/nodes/${handle}`),
      };
    });
    return page<SelectionEntry, Entries>({
      rows: entries,
      position: (entry) => nodeNumber(entry.node_id),
      total: selection.nodes.length,
      shape: (shown) => ({ entries: shown }),
    });
  },

  text: ({ entries }, { units, paint }) =>
    columns(
      entries.map((entry) =>
        'gone' in entry
          ? [paint('aside', entry.node_id), '(gone)', oneLine(entry.path ?? '')]
          : [
              paint('aside', entry.node_id),
              paint('size', sizeText(entry.size, units)),
              oneLine(entry.path),
              entry.modified_at,
            ],
      ),
      [1],
    ),
});
