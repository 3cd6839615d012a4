import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import { indexHandle, nodeNumber } from '../handles.ts';
import { visibleRow } from '../indexes/index-access.ts';
import type { DiskServices } from './choose.ts';
import { visibleSet } from './kept.ts';
import { setCard, setExtras, setText } from './set-card.ts';

const nodes = z.array(z.string().max(20)).optional();

export const resourceSetUpdate = operation<DiskServices>()({
  name: 'resource_set_update',
  toolset: 'disk',
  readOnly: false,
  summary: 'Add or remove nodes of a selection, or rename it.',
  input: z.strictObject({
    selection_id: z.string().max(20),
    add: nodes,
    remove: nodes,
    name: z.string().min(1).max(100).optional(),
  }),
  aliases: { set_id: 'selection_id', id: 'selection_id' },
  http: ['PATCH /api/resource-sets/{selection_id}', 'POST /api/resource-sets/{selection_id}/entries'],
  command: {
    words: 'disk set update',
    positional: ['selection_id'],
    examples: ['pinhole disk set update s5 --add n4f2 --remove n9ab'],
  },

  async run({ selection_id, add = [], remove = [], name }, ctx) {
    const { disk, roots } = ctx;
    let set = await visibleSet(ctx, selection_id);
    const { tree } = await disk.indexes.open(indexHandle(set.index));
    if (add.length + remove.length > 0) {
      const added = add.map((node) => tree.id[visibleRow(tree, node, roots)] ?? 0);
      const removed = new Set(remove.map(nodeNumber));
      set = await disk.sets.replace(
        set,
        tree,
        [...set.nodes, ...added].filter((node) => !removed.has(node)),
      );
    }
    if (name !== undefined) set = await disk.sets.rename(set, name);
    return single(await setCard(ctx, set, true), setExtras(ctx, selection_id));
  },

  text: setText,
});
