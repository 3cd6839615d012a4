import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import type { DiskServices } from './choose.ts';
import { visibleSet } from './kept.ts';
import { setCard, setExtras, setText } from './set-card.ts';

export const resourceSetGet = operation<DiskServices>()({
  name: 'resource_set_get',
  toolset: 'disk',
  readOnly: true,
  summary: 'One selection: counts, size, its largest nodes, what is gone.',
  input: z.strictObject({ selection_id: z.string().max(20) }),
  aliases: { set_id: 'selection_id', id: 'selection_id' },
  http: 'GET /api/resource-sets/{selection_id}',
  command: { words: 'disk set', positional: ['selection_id'], examples: ['pinhole disk set s5'] },

  async run({ selection_id }, ctx) {
    const set = await visibleSet(ctx, selection_id);
    return single(await setCard(ctx, set, true), setExtras(ctx, selection_id));
  },

  text: setText,
});
