import { z } from 'zod';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { handleNumber } from '../handles.ts';
import type { DiskServices } from '../services.ts';
import { GLANCE_BYTES } from './glance.ts';
import { type QueryCard, queryCard, queryCardSchema, queryText } from './query-card.ts';
import { maySeeQuery, onlyVisible } from './visible.ts';

const queriesSchema = z.object({
  queries: z.array(queryCardSchema.extend({ link: z.string().optional() })),
});

export const queryListInput = z.strictObject({});

export const queryList = operation<DiskServices>()({
  name: 'query_list',
  toolset: 'disk',
  readOnly: true,
  summary: 'Saved queries, newest first.',
  input: queryListInput,
  limit: { default: 10, max: 100 },
  glance: GLANCE_BYTES,
  data: queriesSchema,
  rows: 'queries',
  rowLink: '/api/queries/{query_id}',
  http: 'GET /api/queries',
  command: { words: 'disk queries', examples: ['pinhole disk queries'] },

  async run(_input, ctx) {
    const { disk, after, url } = ctx;
    async function* cards() {
      const list = disk.queries.list.bind(disk.queries);
      for await (const query of onlyVisible(list, (one) => maySeeQuery(ctx, one), after))
        yield queryCard(query);
    }
    return page<QueryCard, ReadonlyData<typeof queriesSchema>>({
      rows: cards(),
      position: (card) => handleNumber('q', card.query_id),
      shape: (shown) => ({ queries: shown }),
      link: url(pageLinks.disk),
      links: { run: url('/api/queries/{query_id}/run') },
    });
  },

  text: ({ queries }, style) =>
    queries.length === 0 ? 'No saved queries yet.' : queries.map((card) => queryText(card, style)).join('\n'),
});
