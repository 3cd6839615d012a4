import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { operation, page } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { describeFilter } from '../filter/describe-filter.ts';
import { handleNumber, indexHandle, queryHandle, setHandle } from '../handles.ts';
import type { SavedQuery } from '../saved-queries.ts';
import { type DiskServices, glance } from './choose.ts';
import { maySeeQuery, onlyVisible } from './kept.ts';

export interface QueryCard {
  readonly query_id: string;
  readonly name: string;
  readonly filter_summary: string;
  readonly index_id?: string | undefined;
  readonly selection_id?: string | undefined;
  readonly mode: string;
  readonly last_executed_at?: string | undefined;
}

export function queryCard(query: SavedQuery): QueryCard {
  return {
    query_id: queryHandle(query.id),
    name: query.name,
    filter_summary: describeFilter(query.filter),
    index_id: query.index === undefined ? undefined : indexHandle(query.index),
    selection_id: query.set === undefined ? undefined : setHandle(query.set),
    mode: query.mode,
    last_executed_at: query.lastRunAt === undefined ? undefined : new Date(query.lastRunAt).toISOString(),
  };
}

export const queryText = (card: QueryCard) =>
  `${card.query_id} ${oneLine(card.name)}  ${oneLine(card.filter_summary)}${card.last_executed_at ? `  last run ${card.last_executed_at}` : ''}`;

const ROWS = 10;

export const queryListInput = z.strictObject({});

export const queryList = operation<DiskServices>()({
  name: 'query_list',
  toolset: 'disk',
  readOnly: true,
  summary: 'Saved queries, newest first.',
  input: queryListInput,
  limit: { default: ROWS, max: 100 },
  rows: 'queries',
  columns: ['query_id', 'name', 'filter_summary', 'index_id', 'selection_id', 'mode', 'last_executed_at'],
  http: 'GET /api/queries',
  command: { words: 'disk queries', examples: ['pinhole disk queries'] },

  async run(_input, ctx) {
    const { disk, after, url } = ctx;
    async function* cards() {
      const list = disk.queries.list.bind(disk.queries);
      for await (const query of onlyVisible(list, (one) => maySeeQuery(ctx, one), after))
        yield queryCard(query);
    }
    return page<QueryCard, { queries: readonly QueryCard[] }>({
      rows: cards(),
      position: (card) => handleNumber('q', card.query_id),
      budget: glance(ctx, ROWS),
      shape: (shown) => ({ queries: shown }),
      link: url(pageLinks.disk),
      links: { run: url('/api/queries/{query_id}/run') },
    });
  },

  text: ({ queries }) => (queries.length === 0 ? 'No saved queries yet.' : queries.map(queryText).join('\n')),
});
