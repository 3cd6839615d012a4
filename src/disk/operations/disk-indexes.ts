import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { agoText, columns, countOf, sizeText } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { callIndex } from '../../jobs/calls.ts';
import { handleNumber } from '../handles.ts';
import { mayReadSome } from '../indexes/index-access.ts';
import type { DiskServices } from '../services.ts';
import { type IndexCard, indexCardSchema, visibleIndexCard } from './index-card.ts';

const indexesSchema = z.object({
  indexes: z.array(indexCardSchema.extend({ link: z.string().optional() })),
});

export const diskIndexesInput = z.strictObject({});

export const diskIndexes = operation<DiskServices>()({
  name: 'disk_indexes',
  toolset: undefined,
  readOnly: true,
  summary: 'Folders whose sizes are indexed.',
  input: diskIndexesInput,
  limit: { default: 50, max: 200 },
  data: indexesSchema,
  rows: 'indexes',
  rowLink: '/api/indexes/{index_id}',
  http: 'GET /api/indexes',
  command: { words: 'disk indexes', examples: ['pinhole disk indexes'] },

  async run(_input, ctx) {
    const last = typeof ctx.after === 'number' ? ctx.after : 0;
    const rows = (await ctx.disk.indexes.list()).filter(
      (row) => row.id > last && mayReadSome(row, ctx.roots),
    );
    async function* cards() {
      for (const row of rows) {
        const card = await visibleIndexCard(ctx, row);
        if (card !== undefined) yield card;
      }
    }
    return page<IndexCard, ReadonlyData<typeof indexesSchema>>({
      rows: cards(),
      position: (card) => handleNumber('i', card.index_id),
      shape: (indexes) => ({ indexes }),
      next: rows.length === 0 && last === 0 ? [callIndex({})] : undefined,
    });
  },

  text: ({ indexes }, { units, now, paint }) =>
    indexes.length === 0
      ? 'No folder is indexed yet.'
      : columns(
          indexes.map((card) => [
            card.index_id,
            paint('size', sizeText(card.disk_size, units)),
            countOf(card.files, 'file'),
            card.scanned_at === undefined
              ? card.status.replace('_', ' ')
              : agoText(Date.parse(card.scanned_at), now),
            oneLine(card.root) + (card.imported ? '  (imported)' : '') + depthText(card),
          ]),
          [1, 2],
        ),
});

function depthText({ depth_limit }: IndexCard): string {
  return depth_limit === undefined ? '' : `  (to depth ${depth_limit})`;
}
