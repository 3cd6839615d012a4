import { z } from 'zod';
import { countOf } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { isoTime } from '../../contract/time.ts';
import { pageLinks } from '../../page/page-links.ts';
import { setHandle } from '../handles.ts';
import { type DiskServices, glance } from './choose.ts';
import { visibleQuery } from './kept.ts';
import { queryCard, queryText } from './query-list.ts';

const RUNS = 10;

export const queryGet = operation<DiskServices>()({
  name: 'query_get',
  toolset: 'disk',
  readOnly: true,
  summary: 'A saved query: its filter in full and its latest runs.',
  input: z.strictObject({ query_id: z.string().max(20) }),
  rows: 'runs',
  columns: ['at', 'generation', 'selection_id', 'matches', 'size', 'ms'],
  aliases: { id: 'query_id' },
  http: 'GET /api/queries/{query_id}',
  command: { words: 'disk query show', positional: ['query_id'], examples: ['pinhole disk query show q2'] },

  async run({ query_id }, ctx) {
    const { disk, url } = ctx;
    const query = await visibleQuery(ctx, query_id);
    const { filter_summary, ...card } = queryCard(query);
    const runs = (await disk.queries.runs(query, RUNS)).map((run) => ({
      at: isoTime(run.at),
      generation: run.generation,
      selection_id: setHandle(run.set),
      matches: run.matches,
      size: run.size,
      ms: run.ms,
    }));
    return single(
      { ...card, filter: query.filter, runs },
      {
        link: url(pageLinks.query(query_id)),
        links: { run: url(`/api/queries/${query_id}/run`) },
        budget: glance(ctx),
      },
    );
  },

  text: ({ filter, runs, ...card }) =>
    [
      queryText({ ...card, filter_summary: JSON.stringify(filter) }),
      ...runs.map((run) => `  ${run.at}  ${countOf(run.matches, 'match', 'matches')}  ${run.selection_id}`),
    ].join('\n'),
});
