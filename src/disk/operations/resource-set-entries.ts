import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { columns, sizeText } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { indexHandle, nodeHandle, nodeNumber } from '../handles.ts';
import { type NodeRow, nodeRow } from '../reports/node-rows.ts';
import { rowsOfIds } from '../tree/row-spans.ts';
import type { DiskServices } from './choose.ts';
import { visibleSet } from './kept.ts';

type SetEntry =
  | (NodeRow & { readonly link: string })
  | { readonly node_id: string; readonly gone: true; readonly path?: string | undefined };

export const resourceSetEntries = operation<DiskServices>()({
  name: 'resource_set_entries',
  toolset: undefined,
  readOnly: true,
  summary: 'All nodes of a selection, in the order of their ids.',
  input: z.strictObject({ selection_id: z.string().max(20) }),
  limit: { default: 100, max: 1000 },
  rows: 'entries',
  columns: ['node_id', 'path', 'kind', 'size', 'disk_size', 'modified_at', 'link', 'gone'],
  http: 'GET /api/resource-sets/{selection_id}/entries',
  command: {
    words: 'disk set entries',
    positional: ['selection_id'],
    examples: ['pinhole disk set entries s5'],
  },

  async run({ selection_id }, ctx) {
    const { disk, after, limit, url } = ctx;
    const set = await visibleSet(ctx, selection_id);
    const { tree, row } = await disk.indexes.open(indexHandle(set.index));
    const last = typeof after === 'number' ? after : -1;
    const wanted = set.nodes.filter((node) => node > last).slice(0, limit + 1);
    const rows = rowsOfIds(tree, wanted);
    const paths = rows.includes(-1) ? set.paths() : undefined;
    const entries = wanted.map((node, i): SetEntry => {
      const at = rows[i] ?? -1;
      const handle = nodeHandle(node);
      if (at < 0) return { node_id: handle, gone: true, path: paths?.get(node) };
      return { ...nodeRow(tree, at), link: url(`/api/indexes/${indexHandle(row.id)}/nodes/${handle}`) };
    });
    return page<SetEntry, { entries: readonly SetEntry[] }>({
      rows: entries,
      position: (entry) => nodeNumber(entry.node_id),
      total: set.nodes.length,
      shape: (shown) => ({ entries: shown }),
    });
  },

  text: ({ entries }, { units }) =>
    columns(
      entries.map((entry) =>
        'gone' in entry
          ? [entry.node_id, '(gone)', oneLine(entry.path ?? '')]
          : [entry.node_id, sizeText(entry.size, units), oneLine(entry.path), entry.modified_at],
      ),
      [1],
    ),
});
