import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import type { DiskServices } from '../services.ts';
import { selection_id } from './input-fields.ts';
import { visibleSelection } from './visible.ts';

export const resourceSetDelete = operation<DiskServices>()({
  name: 'resource_set_delete',
  toolset: 'disk',
  readOnly: false,
  summary: 'Delete a selection. Files are not touched.',
  input: z.strictObject({ selection_id }),
  data: z.object({ selection_id: z.string(), deleted: z.literal(true) }),
  aliases: { set_id: 'selection_id', id: 'selection_id' },
  http: 'DELETE /api/resource-sets/{selection_id}',
  command: {
    words: 'disk selection delete',
    positional: ['selection_id'],
    examples: ['pinhole disk selection delete s5'],
  },

  async run({ selection_id }, ctx) {
    await visibleSelection(ctx, selection_id);
    await ctx.disk.selections.remove(selection_id);
    return single({ selection_id, deleted: true as const }, { link: ctx.url(pageLinks.disk) });
  },

  text: ({ selection_id }) => `${selection_id} deleted.`,
});
