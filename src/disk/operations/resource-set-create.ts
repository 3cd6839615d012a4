import { z } from 'zod';
import { uint32At } from '../../contract/at.ts';
import { fail, inputMessage } from '../../contract/errors.ts';
import { operation, single } from '../../contract/operation.ts';
import { indexHandle, selectionHandle } from '../handles.ts';
import { visibleRow, visibleSpan } from '../indexes/index-access.ts';
import type { DiskServices } from '../services.ts';
import { chooseIndex } from './chosen-index.ts';
import { GLANCE_BYTES } from './glance.ts';
import { chosen_index_id, node_ids, query_id } from './input-fields.ts';
import { selectionCard, selectionCardSchema, selectionLinks, selectionText } from './selection-card.ts';
import { visibleQuery } from './visible.ts';

export const resourceSetCreate = operation<DiskServices>()({
  name: 'resource_set_create',
  toolset: 'disk',
  readOnly: false,
  summary: 'Keep a selection: node_ids, or what a saved query finds.',
  input: z.strictObject({
    name: z.string().min(1).max(100).describe('a name for the selection'),
    index_id: chosen_index_id,
    node_ids: node_ids.describe('the nodes to select, e.g. n4f2'),
    query_id: query_id.optional().describe('select what this saved query finds, e.g. q2'),
  }),
  glance: GLANCE_BYTES,
  data: selectionCardSchema,
  http: 'POST /api/resource-sets',
  command: {
    words: 'disk selection create',
    positional: ['name'],
    examples: ['pinhole disk selection create old --query-id q2'],
  },

  async run({ name, index_id, node_ids = [], query_id }, ctx) {
    const { disk, roots, signal } = ctx;
    const query = query_id === undefined ? undefined : await visibleQuery(ctx, query_id);
    const wanted = index_id ?? (query?.index === undefined ? undefined : indexHandle(query.index));
    const open = await chooseIndex(ctx, wanted, undefined);
    const { tree } = open;
    if (query !== undefined && node_ids.length > 0)
      fail(
        'invalid_parameter',
        inputMessage`Give ${{ input: 'node_ids' }} or ${{ input: 'query_id' }}, not both.`,
      );
    const rows = query
      ? (await disk.filters.find(open, visibleSpan(tree, roots), query.filter, signal)).rows
      : node_ids.map((node) => visibleRow(tree, node, roots));
    const nodes = Array.from(rows, (row) => uint32At(tree.id, row));
    const selection = await disk.selections.create(name, { index: open.row.id, tree }, nodes, true);
    return single(
      await selectionCard(ctx, selection, true),
      selectionLinks(ctx, selectionHandle(selection.id)),
    );
  },

  text: selectionText,
});
