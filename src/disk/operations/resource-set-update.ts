import { z } from 'zod';
import { uint32At } from '../../contract/at.ts';
import { operation, single } from '../../contract/operation.ts';
import { indexHandle, nodeNumber } from '../handles.ts';
import { visibleRow } from '../indexes/index-access.ts';
import type { DiskServices } from '../services.ts';
import { GLANCE_BYTES } from './glance.ts';
import { node_ids, selection_id } from './input-fields.ts';
import { selectionCard, selectionCardSchema, selectionLinks, selectionText } from './selection-card.ts';
import { visibleSelection } from './visible.ts';

export const resourceSetUpdate = operation<DiskServices>()({
  name: 'resource_set_update',
  toolset: 'disk',
  readOnly: false,
  summary: 'Add or remove nodes of a selection, or rename it.',
  input: z.strictObject({
    selection_id,
    add: node_ids.describe('nodes to add, e.g. n4f2'),
    remove: node_ids.describe('nodes to remove, e.g. n4f2'),
    name: z.string().min(1).max(100).optional().describe('a new name'),
  }),
  glance: GLANCE_BYTES,
  data: selectionCardSchema,
  aliases: { set_id: 'selection_id', id: 'selection_id' },
  http: ['PATCH /api/resource-sets/{selection_id}', 'POST /api/resource-sets/{selection_id}/entries'],
  command: {
    words: 'disk selection update',
    positional: ['selection_id'],
    examples: ['pinhole disk selection update s5 --add n4f2 --remove n9ab'],
  },

  async run({ selection_id, add = [], remove = [], name }, ctx) {
    const { disk, roots } = ctx;
    let selection = await visibleSelection(ctx, selection_id);
    const { tree } = await disk.indexes.open(indexHandle(selection.index));
    if (add.length + remove.length > 0) {
      const added = add.map((node) => uint32At(tree.id, visibleRow(tree, node, roots)));
      const removed = new Set(remove.map(nodeNumber));
      selection = await disk.selections.replace(
        selection,
        tree,
        [...selection.nodes, ...added].filter((node) => !removed.has(node)),
      );
    }
    if (name !== undefined) selection = await disk.selections.rename(selection, name);
    return single(await selectionCard(ctx, selection, true), selectionLinks(ctx, selection_id));
  },

  text: selectionText,
});
