import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { countOf, sizeText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import type { DiskServices } from '../services.ts';
import { indexCardSchema, visibleIndexCard } from './index-card.ts';
import { index_id } from './input-fields.ts';
import { failNoIndex, visibleIndex } from './visible.ts';

export const diskIndex = operation<DiskServices>()({
  name: 'disk_index',
  toolset: undefined,
  readOnly: true,
  summary: 'One index: its root, totals, age and errors.',
  input: z.strictObject({ index_id }),
  data: indexCardSchema,
  http: 'GET /api/indexes/{index_id}',

  async run({ index_id }, ctx) {
    const card = await visibleIndexCard(ctx, await visibleIndex(ctx, index_id));
    return single(card ?? failNoIndex(index_id));
  },

  text: (card, { units }) =>
    `${card.index_id} ${oneLine(card.root)}  ${sizeText(card.disk_size, units)} on disk  ${countOf(card.files, 'file')}, ${countOf(card.dirs, 'folder')}`,
});
