import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import type { DiskServices } from './choose.ts';
import { visibleSet } from './kept.ts';

export const resourceSetDelete = operation<DiskServices>()({
  name: 'resource_set_delete',
  toolset: 'disk',
  readOnly: false,
  summary: 'Forget a selection. Files are not touched.',
  input: z.strictObject({ selection_id: z.string().max(20) }),
  aliases: { set_id: 'selection_id', id: 'selection_id' },
  http: 'DELETE /api/resource-sets/{selection_id}',
  command: {
    words: 'disk set delete',
    positional: ['selection_id'],
    examples: ['pinhole disk set delete s5'],
  },

  async run({ selection_id }, ctx) {
    await visibleSet(ctx, selection_id);
    await ctx.disk.sets.remove(selection_id);
    return single({ selection_id, deleted: true }, { link: ctx.url(pageLinks.disk) });
  },

  text: ({ selection_id }) => `${selection_id} is forgotten.`,
});
