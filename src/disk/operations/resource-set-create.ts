import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { operation, single } from '../../contract/operation.ts';
import { indexHandle, setHandle } from '../handles.ts';
import { visibleRow, visibleSpan } from '../indexes/index-access.ts';
import { chooseIndex, type DiskServices } from './choose.ts';
import { visibleQuery } from './kept.ts';
import { setCard, setExtras, setText } from './set-card.ts';

export const resourceSetCreate = operation<DiskServices>()({
  name: 'resource_set_create',
  toolset: 'disk',
  readOnly: false,
  summary: 'Keep a selection: node_ids, or what a saved query finds.',
  input: z.strictObject({
    name: z.string().min(1).max(100),
    index_id: z.string().max(20).optional(),
    node_ids: z.array(z.string().max(20)).optional(),
    query_id: z.string().max(20).optional(),
  }),
  http: 'POST /api/resource-sets',
  command: {
    words: 'disk set create',
    positional: ['name'],
    examples: ['pinhole disk set create old --query-id q2'],
  },

  async run({ name, index_id, node_ids = [], query_id }, ctx) {
    const { disk, roots, signal } = ctx;
    const query = query_id === undefined ? undefined : await visibleQuery(ctx, query_id);
    const asked = index_id ?? (query?.index === undefined ? undefined : indexHandle(query.index));
    const open = await chooseIndex(ctx, asked, undefined);
    const { tree } = open;
    if (query !== undefined && node_ids.length > 0)
      fail('invalid_parameter', 'Give node_ids or query_id, not both.');
    const rows = query
      ? (await disk.filters.find(open, visibleSpan(tree, roots), query.filter, signal)).rows
      : node_ids.map((node) => visibleRow(tree, node, roots));
    const nodes = Array.from(rows, (row) => tree.id[row] ?? 0);
    const set = await disk.sets.create(name, { index: open.row.id, tree }, nodes, true);
    return single(await setCard(ctx, set, true), setExtras(ctx, setHandle(set.id)));
  },

  text: setText,
});
