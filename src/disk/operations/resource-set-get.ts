import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import type { DiskServices } from '../services.ts';
import { GLANCE_BYTES } from './glance.ts';
import { selection_id } from './input-fields.ts';
import { selectionCard, selectionCardSchema, selectionLinks, selectionText } from './selection-card.ts';
import { visibleSelection } from './visible.ts';

export const resourceSetGet = operation<DiskServices>()({
  name: 'resource_set_get',
  toolset: 'disk',
  readOnly: true,
  summary: 'One selection: counts, size, its largest nodes, what is gone.',
  input: z.strictObject({ selection_id }),
  glance: GLANCE_BYTES,
  data: selectionCardSchema,
  aliases: { set_id: 'selection_id', id: 'selection_id' },
  http: 'GET /api/resource-sets/{selection_id}',
  command: {
    words: 'disk selection',
    positional: ['selection_id'],
    examples: ['pinhole disk selection s5'],
  },

  async run({ selection_id }, ctx) {
    const selection = await visibleSelection(ctx, selection_id);
    return single(await selectionCard(ctx, selection, true), selectionLinks(ctx, selection_id));
  },

  text: selectionText,
});
